import { en } from './en.ts';
import type { Language } from './languages.ts';
import type { Messages } from './messages.ts';

/** English is at hand for the first paint; every other language is a small file of its own, loaded when it is wanted. */
const OTHERS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Messages>>> = {
  ar: async () => (await import('./translations/ar.ts')).ar,
  bg: async () => (await import('./translations/bg.ts')).bg,
  cs: async () => (await import('./translations/cs.ts')).cs,
  da: async () => (await import('./translations/da.ts')).da,
  de: async () => (await import('./translations/de.ts')).de,
  el: async () => (await import('./translations/el.ts')).el,
  es: async () => (await import('./translations/es.ts')).es,
  fi: async () => (await import('./translations/fi.ts')).fi,
  fr: async () => (await import('./translations/fr.ts')).fr,
  he: async () => (await import('./translations/he.ts')).he,
  hi: async () => (await import('./translations/hi.ts')).hi,
  hr: async () => (await import('./translations/hr.ts')).hr,
  hu: async () => (await import('./translations/hu.ts')).hu,
  id: async () => (await import('./translations/id.ts')).id,
  it: async () => (await import('./translations/it.ts')).it,
  ja: async () => (await import('./translations/ja.ts')).ja,
  ko: async () => (await import('./translations/ko.ts')).ko,
  nb: async () => (await import('./translations/nb.ts')).nb,
  nl: async () => (await import('./translations/nl.ts')).nl,
  pl: async () => (await import('./translations/pl.ts')).pl,
  pt: async () => (await import('./translations/pt.ts')).pt,
  ro: async () => (await import('./translations/ro.ts')).ro,
  ru: async () => (await import('./translations/ru.ts')).ru,
  sv: async () => (await import('./translations/sv.ts')).sv,
  th: async () => (await import('./translations/th.ts')).th,
  tr: async () => (await import('./translations/tr.ts')).tr,
  uk: async () => (await import('./translations/uk.ts')).uk,
  vi: async () => (await import('./translations/vi.ts')).vi,
  zh: async () => (await import('./translations/zh.ts')).zh,
};

export const loadMessages = async (language: Language): Promise<Messages> =>
  language === 'en' ? en : OTHERS[language]();
