import { en } from './en.ts';
import type { MessageKey } from './messages.ts';
import { type CodeNames, codeNames } from './names.ts';
import { TRANSLATIONS } from './translations.ts';

type Values = Readonly<Record<string, string | number>>;

/** What listeners are told, in one language. */
export interface Words extends CodeNames {
  /** Two letters; one of the languages the service speaks. */
  readonly language: string;
  text(key: MessageKey, values?: Values): string;
  /** By the slug of a genre: `jazz`. */
  genreName(slug: string, otherwise: string): string;
}

export const DEFAULT_LANGUAGE = 'en';

const languageOf = (locale: string): string => locale.split('-', 1)[0] ?? '';

/** Whether there are words for a locale in its own language. */
export const isSpoken = (locale: string): boolean => TRANSLATIONS.has(languageOf(locale));

const known = new Map<string, Words>();

/** The words for a locale (`de-AT`), else English. One object a language, so that it can be compared. */
export function wordsFor(locale: string): Words {
  const language = isSpoken(locale) ? languageOf(locale) : DEFAULT_LANGUAGE;
  let words = known.get(language);
  if (!words) known.set(language, (words = makeWords(language)));
  return words;
}

function makeWords(language: string): Words {
  const { messages, genres } = TRANSLATIONS.get(language) ?? { messages: en, genres: {} };
  return {
    language,
    text: (key, values) => (values ? fill(messages[key], values) : messages[key]),
    genreName: (slug, otherwise) => (Object.hasOwn(genres, slug) ? genres[slug]! : otherwise),
    ...codeNames(language),
  };
}

const fill = (message: string, values: Values): string =>
  message.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
