import { en } from './en.ts';
import type { Language } from './languages.ts';
import type { Messages } from './messages.ts';

/** English is at hand for the first paint; every other language is a small file of its own, loaded when it is wanted. */
const OTHERS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Messages>>> = {
  de: async () => (await import('./de.ts')).de,
  es: async () => (await import('./es.ts')).es,
  fr: async () => (await import('./fr.ts')).fr,
  it: async () => (await import('./it.ts')).it,
  ja: async () => (await import('./ja.ts')).ja,
  nl: async () => (await import('./nl.ts')).nl,
  pl: async () => (await import('./pl.ts')).pl,
  pt: async () => (await import('./pt.ts')).pt,
  tr: async () => (await import('./tr.ts')).tr,
};

export const loadMessages = async (language: Language): Promise<Messages> =>
  language === 'en' ? en : OTHERS[language]();
