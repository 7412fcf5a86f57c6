import { fieldWord } from '../catalog/search-document.ts';
import { LONGEST_WORD, cutAt, piecesOf } from '../lib/search-words.ts';
import type { Question } from './question.ts';

/** A word, and what else it may be taken for. */
export interface Meant {
  word: string;
  /** Words that one typing error makes of it. */
  others?: readonly string[];
}

/** Shorter beginnings are of too many words. */
const SHORTEST_PREFIX = 3;

/** All the words somewhere, the last perhaps not yet typed to its end; and those that must stand in a field. */
export const anywhereQuery = (question: Question): string =>
  both(inAnyParting(question.words, { prefix: true }), fieldsQuery(question));

/** All the words somewhere, each typed to its end. */
export const wholeQuery = (question: Question): string =>
  both(inAnyParting(question.words, {}), fieldsQuery(question));

/** The last word alone, typed to its end. */
export const lastWordQuery = ({ words }: Question): string =>
  all(
    words
      .slice(-1)
      .flatMap(piecesOf)
      .map((piece) => lexeme(piece)),
  );

/** All the words, typed to their ends, in the name itself or in call sign and frequency. */
export const inNameQuery = (question: Question): string =>
  both(inAnyParting(question.words, { label: 'AB' }), fieldsQuery(question));

/** Every word or one that it may have been meant for. */
export const respelledQuery = (meant: readonly Meant[], question: Question): string =>
  both(all(meant.map(anyOf)), fieldsQuery(question));

/** So many of the words, whichever. */
export const someQuery = (meant: readonly Meant[], count: number, question: Question): string =>
  both(any(choices(meant, count).map((some) => all(some.map(anyOf)))), fieldsQuery(question));

/** Every way to take so many of some; of ten words two at a time that is 45. */
function choices<T>(items: readonly T[], count: number): T[][] {
  if (count === 0) return [[]];
  return items.flatMap((item, index) =>
    choices(items.slice(index + 1), count - 1).map((rest) => [item, ...rest]),
  );
}

interface Manner {
  /** The weights that count; all when unsaid. */
  label?: string;
  prefix?: boolean;
}

/**
 * "big fm" also as bigfm: people part words as they like. Each word is there, or joined with a neighbour. Spelled out as
 * one list of words for each parting, PostgreSQL would look up every word again for each of them.
 */
function inAnyParting(words: readonly string[], manner: Manner): string {
  const last = words.length - 1;
  const joined = words
    .slice(1)
    .map((word, index) => term(cutAt(`${words[index]}${word}`, LONGEST_WORD), manner, index + 1 === last));
  return all(
    words.map((word, index) =>
      any([term(word, manner, index === last), joined[index - 1] ?? '', joined[index] ?? '']),
    ),
  );
}

function term(word: string, { label = '', prefix = false }: Manner, isLast: boolean): string {
  const star = prefix && isLast && word.length >= SHORTEST_PREFIX ? '*' : '';
  return all(piecesOf(word).map((piece) => lexeme(piece, star + label)));
}

const anyOf = ({ word, others = [] }: Meant): string =>
  any([term(word, {}, false), ...others.map((other) => lexeme(other))]);

/** What must stand in fields; nothing when none is named. */
export const fieldsQuery = ({ fields }: Question): string =>
  all(fields.flatMap(({ field, words }) => words.map((word) => inField(field, word))));

function inField(field: Question['fields'][number]['field'], word: string): string {
  if (field === 'name') return all(piecesOf(word).map((piece) => lexeme(piece, 'A')));
  // Hosts are a show's marks, as the call sign is a station's.
  return lexeme(fieldWord(field === 'hosts' ? 'call' : field, word));
}

/** Words hold no quotes and no backslashes: they are letters, digits and points. */
const lexeme = (word: string, flags = ''): string => (flags === '' ? `'${word}'` : `'${word}':${flags}`);

const joined = (parts: readonly string[], operator: string): string => {
  const there = [...new Set(parts.filter((part) => part !== ''))];
  return there.length > 1 ? `(${there.join(operator)})` : (there[0] ?? '');
};
const all = (parts: readonly string[]): string => joined(parts, ' & ');
const any = (parts: readonly string[]): string => joined(parts, ' | ');
const both = (one: string, other: string): string => all([one, other]);
