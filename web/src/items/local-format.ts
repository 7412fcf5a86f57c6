/**
 * The listener's own way to write dates and times, as far as it goes with the language of the site: English has clocks of
 * twelve hours and of twenty-four, and the browser knows which.
 */
export const formatLocale = (language: string, wanted: readonly string[] = navigator.languages): string =>
  wanted.find((tag) => tag.toLowerCase().split('-', 1)[0] === language) ?? language;

export const clockIn = (language: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(formatLocale(language), { hour: 'numeric', minute: '2-digit' });
