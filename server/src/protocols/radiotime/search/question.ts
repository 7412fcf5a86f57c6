import { FIELDS, type Field, type Question, questionWords } from '../../../core/search/question.ts';
import type { Params } from '../call/params.ts';
import { Fault } from '../../../lib/fault.ts';

/** Which results are shown. */
export interface SearchOptions {
  stations: boolean;
  shows: boolean;
  /** The newest topics of the shows found. */
  topics: boolean;
  /** Whether to include stations that the caller cannot play: always, never, or when there are few others. */
  unplayable: 'always' | 'never' | 'if few';
}

/** The typed text, which `No results for` repeats. */
export const searchTextOf = (params: Params): string =>
  (
    params.text('query') ??
    FIELDS.map((field) => fieldText(params, field)).find((text) => text !== undefined) ??
    ''
  ).trim();

/** A country can also be given by its `n…` id, as in accounts. */
function fieldText(params: Params, field: Field): string | undefined {
  const text = params.text(field);
  const countryId = field === 'country' ? params.text('countryid') : undefined;
  if (text !== undefined && countryId !== undefined && text.toLowerCase() !== countryId.toLowerCase())
    throw new Fault(
      400,
      'request.invalid',
      "'country' and 'countryId' name different countries; send only one",
    );
  return text ?? countryId;
}

export function requiredText(params: Params): string {
  const text = searchTextOf(params);
  if (text === '') throw new Fault(400, 'request.queryInvalid', 'Empty Query specified');
  return text;
}

export function readQuestion(params: Params): Question {
  requiredText(params);
  const query = questionWords(params.text('query') ?? '');
  const said = FIELDS.map((field) => ({ field, words: questionWords(fieldText(params, field) ?? '') }));
  // `query=wnyc&call`, without a value, searches for the query's words in that field.
  const meant = FIELDS.filter((field) => params.isMentioned(field)).map((field) => ({ field, words: query }));
  return { words: query, fields: [...said, ...meant].filter(({ words }) => words.length > 0) };
}

/** `types=station`, `filter=s`, `filter=p:topic`, `filter=off`; unknown values are ignored. */
export function readSearchOptions(params: Params): SearchOptions {
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

/** Some fields exist for only one kind of item. */
export function narrowed(options: SearchOptions, { fields }: Question): SearchOptions {
  const asks = (...names: Field[]): boolean => fields.some(({ field }) => names.includes(field));
  return {
    ...options,
    stations: options.stations && !asks('hosts'),
    shows: options.shows && !asks('call', 'freq', 'city'),
  };
}
