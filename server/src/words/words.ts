import { en } from './en.ts';
import type { MessageKey } from './messages.ts';
import { type CodeNames, codeNames } from './names.ts';
import { TRANSLATIONS } from './translations.ts';

type Values = Readonly<Record<string, string | number>>;

/** What listeners are told, in one language. */
export interface Words extends CodeNames {
  /** Of names, days and their order; it need not be one that the service speaks: `de`, `sv`, `zh-Hant`. */
  readonly language: string;
  /** Of the sentences: two letters, one of the languages the service speaks. */
  readonly spoken: string;
  text(key: MessageKey, values?: Values): string;
  /** By the slug of a genre: `jazz`. */
  genreName(slug: string, otherwise: string): string;
}

export const DEFAULT_LANGUAGE = 'en';

const languageOf = (locale: string): string => locale.split('-', 1)[0] ?? '';

/** Whether there are words for a locale in its own language. */
export const isSpoken = (locale: string): boolean => TRANSLATIONS.has(languageOf(locale));

/** Whether countries and languages have names in a locale's own language, whatever the service speaks. */
export const isNamed = (locale: string): boolean => namingLanguage(locale) !== undefined;

const known = new Map<string, Words>();

/**
 * The words for a locale (`de-AT`). In a language that the service does not speak, what has a name there is called by it
 * and the rest is English. One object a language, so that it can be compared.
 */
export function wordsFor(locale: string): Words {
  const language = isSpoken(locale) ? languageOf(locale) : (namingLanguage(locale) ?? DEFAULT_LANGUAGE);
  let words = known.get(language);
  if (!words) known.set(language, (words = makeWords(language)));
  return words;
}

/** The language by which the runtime has names, with the script where it is not the usual one; undefined for none. */
function namingLanguage(locale: string): string | undefined {
  try {
    const { language, script } = new Intl.Locale(locale).maximize();
    const isUsual = new Intl.Locale(language).maximize().script === script;
    const tag = isUsual || script === undefined ? language : `${language}-${script}`;
    return Intl.DisplayNames.supportedLocalesOf(tag).length > 0 ? tag : undefined;
  } catch {
    // What is no tag at all.
    return undefined;
  }
}

function makeWords(language: string): Words {
  const { messages, genres } = TRANSLATIONS.get(language) ?? { messages: en, genres: {} };
  return {
    language,
    spoken: TRANSLATIONS.has(language) ? language : DEFAULT_LANGUAGE,
    text: (key, values) => (values ? fill(messages[key], values) : messages[key]),
    genreName: (slug, otherwise) => (Object.hasOwn(genres, slug) ? genres[slug]! : otherwise),
    ...codeNames(language),
  };
}

const fill = (message: string, values: Values): string =>
  message.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
