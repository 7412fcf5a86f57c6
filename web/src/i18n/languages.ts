/** The languages of the site, each by its own name: the same that radios are answered in. */
export const LANGUAGES = {
  ar: 'العربية',
  bg: 'Български',
  cs: 'Čeština',
  da: 'Dansk',
  de: 'Deutsch',
  el: 'Ελληνικά',
  en: 'English',
  es: 'Español',
  fi: 'Suomi',
  fr: 'Français',
  he: 'עברית',
  hi: 'हिन्दी',
  hr: 'Hrvatski',
  hu: 'Magyar',
  id: 'Bahasa Indonesia',
  it: 'Italiano',
  ja: '日本語',
  ko: '한국어',
  nb: 'Norsk bokmål',
  nl: 'Nederlands',
  pl: 'Polski',
  pt: 'Português',
  ro: 'Română',
  ru: 'Русский',
  sv: 'Svenska',
  th: 'ไทย',
  tr: 'Türkçe',
  uk: 'Українська',
  vi: 'Tiếng Việt',
  zh: '简体中文',
} as const;

export type Language = keyof typeof LANGUAGES;
export const DEFAULT_LANGUAGE: Language = 'en';

export const isLanguage = (text: string | null | undefined): text is Language =>
  typeof text === 'string' && Object.hasOwn(LANGUAGES, text);

/** The language that an address asks for, as those that search engines list do: `?lang=de`. */
export function askedLanguage(search: string): Language | undefined {
  const asked = new URLSearchParams(search).get('lang')?.toLowerCase();
  return isLanguage(asked) ? asked : undefined;
}

/** The rest of the query, with its question mark. */
export function withoutLanguage(search: string): string {
  const params = new URLSearchParams(search);
  if (!params.has('lang')) return search;
  params.delete('lang');
  return params.size === 0 ? '' : `?${params.toString()}`;
}

/** Codes that browsers may send for a language we have under another; both kinds of written Norwegian read one. */
const OTHER_CODES = new Map([
  ['in', 'id'],
  ['iw', 'he'],
  ['mo', 'ro'],
  ['nn', 'nb'],
  ['no', 'nb'],
]);

/** The listener's own choice, else the first of the browser's languages that is spoken here. */
export function chooseLanguage(chosen: string | null, wanted: readonly string[]): Language {
  if (isLanguage(chosen)) return chosen;
  const codes = wanted.map((tag) => tag.toLowerCase().split('-', 1)[0] ?? '');
  return codes.map((code) => OTHER_CODES.get(code) ?? code).find(isLanguage) ?? DEFAULT_LANGUAGE;
}

const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ps', 'ur', 'yi']);

export const directionOf = (language: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.has(language.split('-', 1)[0] ?? '') ? 'rtl' : 'ltr';

/**
 * For numbers, dates and times in a language or a locale. Arabic has two sets of digits: names of stations, frequencies
 * and bit rates are in ours, so that all are.
 */
export const withDigits = (locale: string): string =>
  locale.split('-', 1)[0] === 'ar' ? `${locale}-u-nu-latn` : locale;
