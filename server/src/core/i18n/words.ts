import { de } from './de.ts';
import { en, type MessageKey, type Translation } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { type CodeNames, codeNames } from './names.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { tr } from './tr.ts';

type Values = Readonly<Record<string, string | number>>;

/** The texts for listeners, in one language. */
export interface Words extends CodeNames {
  /** Language of names, dates and sort order; it need not be one of our translations: `de`, `sv`, `zh-Hant`. */
  readonly language: string;
  /** Language of the sentences: two letters, one of our translations. */
  readonly spoken: string;
  text(key: MessageKey, values?: Values): string;
  /** By the slug of a genre: `jazz`. */
  genreName(slug: string, otherwise: string): string;
}

export const DEFAULT_LANGUAGE = 'en';

const languageOf = (locale: string): string => locale.split('-', 1)[0] ?? '';

/** Whether there is a translation in a locale's own language. */
export const isSpoken = (locale: string): boolean => TRANSLATIONS.has(languageOf(locale));

/** Whether countries and languages have names in a locale's own language, translated by us or not. */
export const isNamed = (locale: string): boolean => namingLanguage(locale) !== undefined;

const known = new Map<string, Words>();

/**
 * The words for a locale (`de-AT`). Without a translation, names are in the locale's language and the rest is English.
 * One object per language, so that it can be compared.
 */
export function wordsFor(locale: string): Words {
  const language = isSpoken(locale) ? languageOf(locale) : (namingLanguage(locale) ?? DEFAULT_LANGUAGE);
  return known.getOrInsertComputed(language, makeWords);
}

/** The language in which the runtime has names, with the script if it is not the usual one; undefined for none. */
function namingLanguage(locale: string): string | undefined {
  try {
    const { language, script } = new Intl.Locale(locale).maximize();
    const isUsual = new Intl.Locale(language).maximize().script === script;
    const tag = isUsual || script === undefined ? language : `${language}-${script}`;
    return Intl.DisplayNames.supportedLocalesOf(tag).length > 0 ? tag : undefined;
  } catch {
    // Not a language tag at all.
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

/** Texts and names by turns: "More from {name}" -> ["More from ", "name", ""]. */
const pieces = new Map<string, readonly string[]>();

function fill(message: string, values: Values): string {
  const parts = pieces.getOrInsertComputed(message, () => message.split(/\{(\w+)\}/));
  let text = parts[0]!;
  for (let at = 1; at < parts.length; at += 2) {
    const name = parts[at]!;
    text += (Object.hasOwn(values, name) ? String(values[name]) : `{${name}}`) + parts[at + 1]!;
  }
  return text;
}

/** The translations, by two-letter code. */
export const TRANSLATIONS: ReadonlyMap<string, Translation> = new Map<string, Translation>([
  ['de', de],
  ['en', { messages: en, genres: {} }],
  ['es', es],
  ['fr', fr],
  ['it', it],
  ['ja', ja],
  ['nl', nl],
  ['pl', pl],
  ['pt', pt],
  ['tr', tr],
]);
