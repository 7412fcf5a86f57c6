/** The languages of the site, each by its own name: the same ten that radios are answered in. */
export const LANGUAGES = {
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  ja: '日本語',
  nl: 'Nederlands',
  pl: 'Polski',
  pt: 'Português',
  tr: 'Türkçe',
} as const;

export type Language = keyof typeof LANGUAGES;
export const DEFAULT_LANGUAGE: Language = 'en';

export const isLanguage = (text: string | null | undefined): text is Language =>
  typeof text === 'string' && Object.hasOwn(LANGUAGES, text);

/** The listener's own choice, else the first of the browser's languages that is spoken here. */
export function chooseLanguage(chosen: string | null, wanted: readonly string[]): Language {
  if (isLanguage(chosen)) return chosen;
  return wanted.map((tag) => tag.toLowerCase().split('-', 1)[0]).find(isLanguage) ?? DEFAULT_LANGUAGE;
}

const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ps', 'ur', 'yi']);

export const directionOf = (language: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.has(language.split('-', 1)[0] ?? '') ? 'rtl' : 'ltr';
