import type { Params } from '../http/params.ts';
import { Fault } from '../lib/fault.ts';
import { searchWords } from '../lib/search-words.ts';

/** Where a word must stand when the caller says so. */
export const FIELDS = ['name', 'call', 'freq', 'hosts', 'genre', 'city', 'country'] as const;
export type Field = (typeof FIELDS)[number];

/** What is looked for, apart from who asks. Two callers with equal questions share one answer. */
export interface Question {
  words: readonly string[];
  fields: readonly { field: Field; words: readonly string[] }[];
}

/** Which of what was found is shown. */
export interface Wish {
  stations: boolean;
  shows: boolean;
  /** The newest topics of the shows found. */
  topics: boolean;
  /** Whether stations that the caller cannot play are shown too: always, never, or when there is little else. */
  unplayable: 'always' | 'never' | 'if few';
}

/** More words than any name has; the rest would only cost. */
const MOST_WORDS = 10;

/** What the listener typed; `No results for` repeats it. */
export const textOf = (params: Params): string =>
  (
    params.text('query') ??
    FIELDS.map((field) => fieldText(params, field)).find((text) => text !== undefined) ??
    ''
  ).trim();

/** A country is also named as accounts name it. */
function fieldText(params: Params, field: Field): string | undefined {
  const text = params.text(field);
  const countryId = field === 'country' ? params.text('countryid') : undefined;
  if (text !== undefined && countryId !== undefined && text.toLowerCase() !== countryId.toLowerCase())
    throw new Fault(400, 'request.invalid', "'country' and 'countryId' name two countries; send one of them");
  return text ?? countryId;
}

export function requiredText(params: Params): string {
  const text = textOf(params);
  if (text === '') throw new Fault(400, 'request.queryInvalid', 'Empty Query specified');
  return text;
}

export function readQuestion(params: Params): Question {
  requiredText(params);
  const query = wordsOf(params.text('query') ?? '');
  const said = FIELDS.map((field) => ({ field, words: wordsOf(fieldText(params, field) ?? '') }));
  // `query=wnyc&call`, without a value, asks for the query's own words in that field.
  const meant = FIELDS.filter((field) => params.isMentioned(field)).map((field) => ({ field, words: query }));
  return { words: query, fields: [...said, ...meant].filter(({ words }) => words.length > 0) };
}

const wordsOf = (text: string): string[] => searchWords(text).slice(0, MOST_WORDS);

/** `types=station`, `filter=s`, `filter=p:topic`, `filter=off`; what means nothing here is ignored, never a fault. */
export function readWish(params: Params): Wish {
  const tokens = [params.text('types') ?? '', params.text('filter') ?? '']
    .flatMap((text) => text.toLowerCase().split(/[,:]/))
    .map((token) => token.trim());
  const has = (...names: string[]): boolean => names.some((name) => tokens.includes(name));
  const stations = has('s', 'station', 'stations');
  const topics = has('topic', 'topics');
  const shows = topics || has('p', 'show', 'shows');
  return {
    stations: stations || !shows,
    shows: shows || !stations,
    topics,
    unplayable: has('off') ? 'always' : has('standard') ? 'never' : 'if few',
  };
}

/** Some fields only one kind of item has. */
export function narrowed(wish: Wish, { fields }: Question): Wish {
  const asks = (...names: Field[]): boolean => fields.some(({ field }) => names.includes(field));
  return {
    ...wish,
    stations: wish.stations && !asks('hosts'),
    shows: wish.shows && !asks('call', 'freq', 'city'),
  };
}
