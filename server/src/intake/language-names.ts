import { iso6393 } from 'iso-639-3';
import { foldText } from '../lib/fold-text.ts';

export interface LanguageNames {
  /** Codes of two and three letters. */
  codes: ReadonlyMap<string, string>;
  /** Folded names. */
  names: ReadonlyMap<string, string>;
  /** Folded names that a tag may hold: of languages with a two-letter code only, for "pop" and "rap" are languages too. */
  tagNames: ReadonlyMap<string, string>;
}

/** Names that neither the standard nor the runtime gives, or gives to a narrower language than people mean. */
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

/** Codes that sources use for one language. */
const OTHER_CODES: Record<string, string> = { nb: 'no', nn: 'no', fil: 'tl', cmn: 'zh', iw: 'he' };

/** Languages in whose words for languages people tag. */
const NAMING_LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'ru', 'tr'];

/** Words of music or places first, languages second. */
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

// Built at first use: it takes some tens of milliseconds that a process without an import need not spend.
let built: LanguageNames | undefined;

export const languageNames = (): LanguageNames => (built ??= build());

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

/** Three Latin letters are an abbreviation of anything; two Chinese ones are a word. */
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
