import { iso31662 } from 'iso-3166';
import { foldText } from '../lib/fold-text.ts';
import { cleanCountry } from './clean-country.ts';

/** Names of states that are ordinary words first: a tag of one of these says nothing about a place. */
const ORDINARY_WORDS = new Set(
  'central centre center capital national north south east west northern southern eastern western nord sud est ouest norte sur este oeste coast island islands littoral plateau federal mexico luxembourg namur'.split(
    ' ',
  ),
);

const STATES = statesByCountry();

/** The state that one of the tags names, in the spelling of the standard. */
export function findStateOfTags(tags: readonly string[], countryCode: string): string | undefined {
  const states = STATES.get(countryCode);
  if (!states) return undefined;
  for (const tag of tags) {
    const state = states.get(foldTag(tag));
    if (state) return state;
  }
  return undefined;
}

/** The country that the tags name, when they name one and no second: `deutschland`, `mexico`. */
export function findCountryOfTags(tags: readonly string[]): string | undefined {
  const countries = new Set(
    tags.flatMap((tag) => (tag.length > 3 ? (cleanCountry(undefined, tag) ?? []) : [])),
  );
  return countries.size === 1 ? [...countries][0] : undefined;
}

const MAX_REMEMBERED = 20_000;
const folded = new Map<string, string>();

function foldTag(tag: string): string {
  const known = folded.get(tag);
  if (known !== undefined) return known;
  if (folded.size >= MAX_REMEMBERED) folded.clear();
  const text = foldText(tag);
  folded.set(tag, text);
  return text;
}

function statesByCountry(): Map<string, Map<string, string>> {
  const states = new Map<string, Map<string, string>>();
  for (const { code, name } of iso31662) {
    const [country = ''] = code.split('-', 1);
    const ofCountry = states.getOrInsert(country, new Map());
    // "Bristol, City of" and "Bremen" are both meant by their first words.
    const [short = ''] = name.split(/[,([]/, 1);
    const key = foldText(short);
    if (key.length > 2 && !ORDINARY_WORDS.has(key) && !ofCountry.has(key)) ofCountry.set(key, short.trim());
  }
  return states;
}
