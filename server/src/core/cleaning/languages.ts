import { iso6393 } from 'iso-639-3';
import { foldText } from '../../lib/search-words.ts';

export const MAX_LANGUAGES = 5;

/** `de`, `ger`, `deu`, `de-CH`, `German`, `Deutsch` -> `de`; three letters only if there is no two-letter code. */
export function parseLanguage(text: string): string | undefined {
  const trimmed = text.trim().toLowerCase();
  const [, primary = ''] = /^([a-z]{2,3})(?:[-_][a-z0-9]{2,8})*$/.exec(trimmed) ?? [];
  const { codes, names } = languageNames();
  return codes.get(primary) ?? names.get(foldText(trimmed));
}

/** The language that a tag names: "deutsch", "german pop", "música en español". */
export function parseLanguageTag(tag: string): string | undefined {
  const folded = foldText(tag);
  const [, before, after] = OF_LANGUAGE.exec(folded) ?? [];
  const code = languageNames().tagNames.get(before ?? after ?? folded);
  // Stations of every language play songs in English.
  return after !== undefined && code === 'en' ? undefined : code;
}

const OF_LANGUAGE =
  /^(\p{L}+) (?:music|pop|pop music|rock|hits|songs|radio|fm|oldies|talk|news|folk|folk music|rap|hip hop|jazz|metal|classics|language)$|^(?:\p{L}+ )?(?:en|auf) (\p{L}+)$/u;

/** More texts than a record can mean, and longer than any language name. */
const [MAX_TEXTS, MAX_LENGTH] = [50, 60];
const MAX_CACHED = 20_000;
const cache = new Map<string, string | undefined>();

/** Codes of the languages a station speaks: from its source, or from its tags if the source names none. */
export function languagesOf(languages: readonly string[], tags: readonly string[]): string[] {
  const given = codesOf(languages, 'l', parseLanguage);
  return given.length > 0 ? given : codesOf(tags, 't', parseLanguageTag);
}

function codesOf(
  texts: readonly string[],
  kind: 'l' | 't',
  parse: (text: string) => string | undefined,
): string[] {
  const codes: string[] = [];
  for (const text of texts.slice(0, MAX_TEXTS)) {
    if (text.length > MAX_LENGTH) continue;
    const key = kind + text;
    let code = cache.get(key);
    if (code === undefined && !cache.has(key)) {
      if (cache.size >= MAX_CACHED) cache.clear();
      code = parse(text);
      cache.set(key, code);
    }
    if (code !== undefined && !codes.includes(code)) codes.push(code);
  }
  return codes.slice(0, MAX_LANGUAGES);
}

interface LanguageNames {
  /** Codes of two and three letters. */
  codes: ReadonlyMap<string, string>;
  /** Folded names. */
  names: ReadonlyMap<string, string>;
  /** Folded names for tags: only of languages with a two-letter code, because "pop" and "rap" are languages too. */
  tagNames: ReadonlyMap<string, string>;
}

/** Names that neither the standard nor the runtime has, or has only for a narrower language than people mean. */
const OTHER_NAMES: Record<string, string[]> = {
  ar: ['Egyptian Arabic', 'Moroccan Arabic', 'العربية'],
  az: ['Azeri'],
  de: ['Austrian German'],
  el: ['Ellinika'],
  en: ['American English', 'British English', 'Australian English'],
  es: ['Castilian', 'Castellano', 'Latin American Spanish', 'Mexican Spanish', 'Espanol Internacional'],
  fa: ['Farsi'],
  fr: ['Canadian French'],
  gsw: ['Swiss German', 'Schweizerdeutsch', 'Schwiizerdütsch'],
  hi: ['Hindustani'],
  ht: ['Haitian', 'Kreyol', 'Haitian Creole'],
  id: ['Bahasa Indonesia'],
  ms: ['Bahasa Melayu'],
  my: ['Myanmar'],
  nl: ['Flemish', 'Vlaams'],
  os: ['Ossetian'],
  no: ['Bokmål', 'Norsk bokmål', 'Nynorsk'],
  pt: ['Brazilian Portuguese', 'Português do Brasil', 'Brasileiro', 'European Portuguese'],
  ro: ['Moldovan', 'Moldavian'],
  prs: ['Dari'],
  si: ['Singhalese', 'Sinhalese'],
  tl: ['Filipino', 'Pilipino', 'Tagalog'],
  ug: ['Uighur'],
  zh: ['Mandarin', 'Mandarin Chinese', 'Putonghua', 'Standard Mandarin', '汉语', '普通话', '国语', '華語'],
  yue: ['Cantonese', '粤语', '廣東話'],
};

/** Alternative codes that sources use for the same language. */
const OTHER_CODES: Record<string, string> = { nb: 'no', nn: 'no', fil: 'tl', cmn: 'zh', iw: 'he' };

/** Languages in which people write tags. */
const NAMING_LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'ru', 'tr'];

/** Usually words for music or places, rarely for languages. */
const NOT_IN_TAGS = new Set([
  'la',
  'ia',
  'ie',
  'io',
  'vo',
  'cu',
  'pi',
  'ae',
  'to',
  'na',
  'kg',
  'lu',
  'sa',
  'wa',
  'gv',
  'ga',
]);

// Built on first use: it takes tens of milliseconds that a process without an import need not spend.
let built: LanguageNames | undefined;

const languageNames = (): LanguageNames => (built ??= build());

function build(): LanguageNames {
  const [codes, names, tagNames] = [
    new Map<string, string>(),
    new Map<string, string>(),
    new Map<string, string>(),
  ];
  const naming = NAMING_LANGUAGES.map(displayIn);
  for (const { iso6391, iso6393: code3, iso6392B, type, name } of iso6393) {
    const code = iso6391 ?? code3;
    for (const text of [iso6391, code3, iso6392B]) if (text) codes.set(text, OTHER_CODES[text] ?? code);
    if (iso6391 || type === 'living') add(names, name, code);
    if (!iso6391) continue;
    for (const display of [...naming, displayIn(iso6391)]) {
      const said = display?.of(iso6391) ?? '';
      add(names, said, OTHER_CODES[iso6391] ?? iso6391);
      if (mayBeTag(iso6391, said)) add(tagNames, said, OTHER_CODES[iso6391] ?? iso6391);
    }
  }
  for (const [text, code] of Object.entries(OTHER_CODES)) codes.set(text, code);
  for (const [code, others] of Object.entries(OTHER_NAMES)) {
    for (const name of others) for (const table of [names, tagNames]) table.set(foldText(name), code);
  }
  return { codes, names, tagNames };
}

/** Three Latin letters can abbreviate anything; two Chinese characters are a word. */
const mayBeTag = (code: string, name: string): boolean =>
  !NOT_IN_TAGS.has(code) && name.length > (/[a-z]/i.test(name) ? 3 : 1);

function displayIn(language: string): Intl.DisplayNames | undefined {
  return Intl.DisplayNames.supportedLocalesOf(language).length > 0
    ? new Intl.DisplayNames(language, { type: 'language', fallback: 'none' })
    : undefined;
}

function add(table: Map<string, string>, name: string, code: string): void {
  const folded = foldText(name);
  if (folded !== '' && !table.has(folded)) table.set(folded, code);
}
