import { withDigits } from '../i18n/languages.ts';

/**
 * The browser's own locale for dates and times, if it matches the language of the site: English has 12-hour and
 * 24-hour clocks, and the browser knows which.
 */
export const formatLocale = (language: string, wanted: readonly string[] = navigator.languages): string =>
  withDigits(wanted.find((tag) => tag.toLowerCase().split('-', 1)[0] === language) ?? language);

export const clockIn = (language: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(formatLocale(language), { hour: 'numeric', minute: '2-digit' });
