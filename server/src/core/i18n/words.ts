import type { MessageKey } from './en.ts';
import { type Values, fill } from './fill.ts';
import { type CodeNames, codeNames } from './names.ts';
import { TRANSLATIONS } from './translations.ts';

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

/** Codes that systems still send for a language we have under another; both kinds of written Norwegian read one. */
const OTHER_CODES: ReadonlyMap<string, string> = new Map([
  ['in', 'id'],
  ['iw', 'he'],
  ['mo', 'ro'],
  ['nn', 'nb'],
  ['no', 'nb'],
]);

/** A locale's language, if we have a translation in it. */
function spokenLanguage(locale: string): string | undefined {
  const code = locale.split('-', 1)[0] ?? '';
  const language = OTHER_CODES.get(code) ?? code;
  return TRANSLATIONS.has(language) ? language : undefined;
}

/** Whether there is a translation in a locale's own language. */
export const isSpoken = (locale: string): boolean => spokenLanguage(locale) !== undefined;

/** Whether countries and languages have names in a locale's own language, translated by us or not. */
export const isNamed = (locale: string): boolean => namingLanguage(locale) !== undefined;

/** Chinese: who reads the traditional script gets names in it, and our sentences in the simplified one. */
const TWO_SCRIPTS = 'zh';

const known = new Map<string, Words>();

/**
 * The words for a locale (`de-AT`). Without a translation, names are in the locale's language and the rest is English.
 * One object per language, so that it can be compared.
 */
export function wordsFor(locale: string): Words {
  const spoken = spokenLanguage(locale);
  const language =
    spoken !== undefined && spoken !== TWO_SCRIPTS
      ? spoken
      : (namingLanguage(locale) ?? spoken ?? DEFAULT_LANGUAGE);
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
  const spoken = spokenLanguage(language) ?? DEFAULT_LANGUAGE;
  const { messages, genres } = TRANSLATIONS.get(spoken)!;
  return {
    language,
    spoken,
    text: (key, values) => (values ? fill(messages[key], values, spoken) : messages[key]),
    genreName: (slug, otherwise) => (Object.hasOwn(genres, slug) ? genres[slug]! : otherwise),
    ...codeNames(language),
  };
}
