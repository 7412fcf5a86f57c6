import { en } from './en.ts';
import type { Language } from './languages.ts';
import type { Messages } from './messages.ts';

/** English is at hand for the first paint; every other language is a small file of its own, loaded when it is wanted. */
const OTHERS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Messages>>> = {
  de: async () => (await import('./translations/de.ts')).de,
  es: async () => (await import('./translations/es.ts')).es,
  fr: async () => (await import('./translations/fr.ts')).fr,
  it: async () => (await import('./translations/it.ts')).it,
  ja: async () => (await import('./translations/ja.ts')).ja,
  nl: async () => (await import('./translations/nl.ts')).nl,
  pl: async () => (await import('./translations/pl.ts')).pl,
  pt: async () => (await import('./translations/pt.ts')).pt,
  tr: async () => (await import('./translations/tr.ts')).tr,
};

export const loadMessages = async (language: Language): Promise<Messages> =>
  language === 'en' ? en : OTHERS[language]();
