import { fieldWord } from '../../storage/catalog/search/search-document.ts';
import { MAX_WORD_LENGTH, cutAt, piecesOf } from '../../lib/search-words.ts';
import type { Question } from './question.ts';

/** A word and its alternatives. */
export interface Meant {
  word: string;
  /** Words one typing error away from it. */
  others?: readonly string[];
}

/** Shorter prefixes match too many words. */
const MIN_PREFIX_LENGTH = 3;

/** All words anywhere, the last one as a prefix; plus the words restricted to a field. */
export const anywhereQuery = (question: Question): string =>
  both(inAnySplit(question.words, { prefix: true }), fieldsQuery(question));

/** All words anywhere, each complete. */
export const wholeQuery = (question: Question): string =>
  both(inAnySplit(question.words, {}), fieldsQuery(question));

/** The last word alone, complete. */
export const lastWordQuery = ({ words }: Question): string =>
  all(
    words
      .slice(-1)
      .flatMap(piecesOf)
      .map((piece) => lexeme(piece)),
  );

/** All words, complete, in the name itself or in call sign and frequency. */
export const inNameQuery = (question: Question): string =>
  both(inAnySplit(question.words, { label: 'AB' }), fieldsQuery(question));

/** Every word or one of its alternatives. */
export const respelledQuery = (meant: readonly Meant[], question: Question): string =>
  both(all(meant.map(anyOf)), fieldsQuery(question));

/** Any `count` of the words. */
export const someQuery = (meant: readonly Meant[], count: number, question: Question): string =>
  both(any(choices(meant, count).map((some) => all(some.map(anyOf)))), fieldsQuery(question));

/** Every combination of `count` items; of ten words two at a time that is 45. */
function choices<T>(items: readonly T[], count: number): T[][] {
  if (count === 0) return [[]];
  return items.flatMap((item, index) =>
    choices(items.slice(index + 1), count - 1).map((rest) => [item, ...rest]),
  );
}

interface Manner {
  /** The weights to match; all by default. */
  label?: string;
  prefix?: boolean;
}

/**
 * "big fm" also as bigfm: people split words as they like. Each word matches alone or joined with a neighbour. Written
 * as one list of words per way of splitting, PostgreSQL would look up every word again for each of them.
 */
function inAnySplit(words: readonly string[], manner: Manner): string {
  const last = words.length - 1;
  const joined = words
    .slice(1)
    .map((word, index) => term(cutAt(`${words[index]}${word}`, MAX_WORD_LENGTH), manner, index + 1 === last));
  return all(
    words.map((word, index) =>
      any([term(word, manner, index === last), joined[index - 1] ?? '', joined[index] ?? '']),
    ),
  );
}

function term(word: string, { label = '', prefix = false }: Manner, isLast: boolean): string {
  const star = prefix && isLast && word.length >= MIN_PREFIX_LENGTH ? '*' : '';
  return all(piecesOf(word).map((piece) => lexeme(piece, star + label)));
}

const anyOf = ({ word, others = [] }: Meant): string =>
  any([term(word, {}, false), ...others.map((other) => lexeme(other))]);

/** The words restricted to fields; empty when there are none. */
export const fieldsQuery = ({ fields }: Question): string =>
  all(fields.flatMap(({ field, words }) => words.map((word) => inField(field, word))));

function inField(field: Question['fields'][number]['field'], word: string): string {
  if (field === 'name') return all(piecesOf(word).map((piece) => lexeme(piece, 'A')));
  // A show's hosts are indexed like a station's call sign.
  return lexeme(fieldWord(field === 'hosts' ? 'call' : field, word));
}

/** Words contain no quotes or backslashes: only letters, digits and points. */
const lexeme = (word: string, flags = ''): string => (flags === '' ? `'${word}'` : `'${word}':${flags}`);

const joined = (parts: readonly string[], operator: string): string => {
  const there = [...new Set(parts.filter((part) => part !== ''))];
  return there.length > 1 ? `(${there.join(operator)})` : (there[0] ?? '');
};
const all = (parts: readonly string[]): string => joined(parts, ' & ');
const any = (parts: readonly string[]): string => joined(parts, ' | ');
const both = (one: string, other: string): string => all([one, other]);
