import { searchKey } from '../../storage/catalog/search/search-document.ts';
import known from './nicknames.json' with { type: 'json' };
import { type Question, questionWords } from './question.ts';

type Meanings = ReadonlyMap<string, readonly string[]>;

const keyOf = (typed: string): string => searchKey(questionWords(typed));

/** By country: what people there type for a station whose records do not have that name. */
const MEANINGS: ReadonlyMap<string, Meanings> = new Map(
  Object.entries(known).map(([country, names]) => [
    country,
    new Map(Object.entries(names).map(([typed, meant]) => [keyOf(typed), questionWords(meant)])),
  ]),
);

/** The question with the name that a nickname stands for in this country; undefined when it is none. */
export function behindNickname(
  { words, fields }: Question,
  countryCode: string | undefined,
): Question | undefined {
  if (fields.length > 0 || words.length === 0 || countryCode === undefined) return undefined;
  const meant = MEANINGS.get(countryCode)?.get(searchKey(words));
  return meant && { words: meant, fields };
}
