import { SoapFault } from './soap.ts';

/** What a control point searches for: `upnp:class derivedfrom "object.item.audioItem" and dc:title contains "jazz"`. */
export type Criteria =
  | { kind: 'all' }
  | { kind: 'and' | 'or'; left: Criteria; right: Criteria }
  | { kind: 'test'; property: string; operator: Operator; value: string };

const OPERATORS = [
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'contains',
  'doesnotcontain',
  'derivedfrom',
  'exists',
] as const;
type Operator = (typeof OPERATORS)[number];

const MAX_TOKENS = 200;
const MAX_DEPTH = 20;
/** A quoted text with `\"` and `\\` in it; a bracket; an operator; a word. */
const TOKEN = /\s*(?:"((?:[^"\\]|\\.)*)"|([()])|([<>]=?|!?=)|([^\s()"<>=!]+))/gy;

interface Token {
  /** Undefined for a quoted text. */
  word: string | undefined;
  text: string;
}

export function parseSearchCriteria(text: string): Criteria {
  const tokens = tokensOf(text);
  if (tokens.length === 0 || (tokens.length === 1 && tokens[0]?.word === '*')) return { kind: 'all' };
  const parser = new CriteriaParser(tokens);
  return parser.parse();
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const trimmed = text.trim();
  let end = 0;
  for (const match of trimmed.matchAll(TOKEN)) {
    const [whole, quoted, ...others] = match;
    end = match.index + whole.length;
    const word = others.find((other) => other !== undefined);
    tokens.push({ word, text: word ?? (quoted ?? '').replaceAll(/\\(.)/gs, '$1') });
    if (tokens.length > MAX_TOKENS) throw bad('it is too long');
  }
  if (end < trimmed.length)
    throw bad(`nobody knows what ${JSON.stringify(trimmed.slice(end, end + 20))} means`);
  return tokens;
}

const bad = (why: string): SoapFault =>
  new SoapFault('badSearch', `SearchCriteria cannot be read: ${why}; an example is dc:title contains "jazz"`);

/** `and` binds stronger than `or`. */
class CriteriaParser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Criteria {
    const found = this.#either();
    if (this.#at < this.#tokens.length)
      throw bad(`it goes on after its end, with ${this.#peek() ?? 'a text'}`);
    return found;
  }

  /** The next word in lower case; undefined at a quoted text and at the end. */
  #peek(): string | undefined {
    return this.#tokens[this.#at]?.word?.toLowerCase();
  }

  #either(): Criteria {
    let left = this.#both();
    while (this.#peek() === 'or') {
      this.#at += 1;
      left = { kind: 'or', left, right: this.#both() };
    }
    return left;
  }

  #both(): Criteria {
    let left = this.#one();
    while (this.#peek() === 'and') {
      this.#at += 1;
      left = { kind: 'and', left, right: this.#one() };
    }
    return left;
  }

  #one(): Criteria {
    if (this.#peek() !== '(') return this.#test();
    this.#at += 1;
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw bad('it has too many brackets');
    const inside = this.#either();
    if (this.#peek() !== ')') throw bad('a bracket is not closed');
    this.#at += 1;
    this.#depth -= 1;
    return inside;
  }

  #test(): Criteria {
    const property = this.#tokens[this.#at]?.word;
    if (property === undefined || !/^[\w@:.]+$/.test(property)) throw bad('a property is missing');
    this.#at += 1;
    const said = this.#peek();
    const operator = OPERATORS.find((known) => known === said);
    if (!operator) throw bad(`there is no operator ${said ?? 'after a property'}`);
    this.#at += 1;
    const value = this.#tokens[this.#at];
    // `exists true` is the one value without quotes.
    if (!value || (value.word !== undefined && operator !== 'exists'))
      throw bad('a value in quotes is missing');
    this.#at += 1;
    return { kind: 'test', property: property.toLowerCase(), operator, value: value.text };
  }
}

/** Something that is looked at by criteria: its properties, by name in lower case. */
export interface Candidate {
  properties: ReadonlyMap<string, string>;
  /** Texts for which our own search found it: it knows more than the letters of a title. */
  foundBy: ReadonlySet<string>;
}

/** Properties that the search looks through. */
const SEARCHED: ReadonlySet<string> = new Set(['dc:title', 'upnp:genre']);

/** The texts to search for, without which nothing matches; empty where the criteria name none. */
export function searchedTexts(criteria: Criteria): string[] {
  if (criteria.kind === 'all') return [];
  if (criteria.kind !== 'test')
    return [...new Set([...searchedTexts(criteria.left), ...searchedTexts(criteria.right)])];
  const { property, operator, value } = criteria;
  return SEARCHED.has(property) && (operator === 'contains' || operator === '=') ? [value.trim()] : [];
}

/** A property that is not there makes every test false, but for those that ask for that. */
export function meets(criteria: Criteria, candidate: Candidate): boolean {
  if (criteria.kind === 'all') return true;
  if (criteria.kind === 'test') return passes(criteria, candidate);
  const { kind, left, right } = criteria;
  if (kind === 'and') return meets(left, candidate) && meets(right, candidate);
  return meets(left, candidate) || meets(right, candidate);
}

function passes(
  { property, operator, value }: Extract<Criteria, { kind: 'test' }>,
  { properties, foundBy }: Candidate,
): boolean {
  const found = properties.get(property);
  if (operator === 'exists') return (found !== undefined) === (value.toLowerCase() === 'true');
  if (found === undefined) return false;
  const isFound = operator === 'contains' && property === 'dc:title' && foundBy.has(value.trim());
  return isFound || COMPARE[operator](fold(found), fold(value));
}

const COMPARE: Readonly<Record<Exclude<Operator, 'exists'>, (own: string, wanted: string) => boolean>> = {
  '=': (own, wanted) => own === wanted,
  '!=': (own, wanted) => own !== wanted,
  '<': (own, wanted) => own < wanted,
  '<=': (own, wanted) => own <= wanted,
  '>': (own, wanted) => own > wanted,
  '>=': (own, wanted) => own >= wanted,
  contains: (own, wanted) => own.includes(wanted),
  doesnotcontain: (own, wanted) => !own.includes(wanted),
  derivedfrom: (own, wanted) => own === wanted || own.startsWith(`${wanted}.`),
};

const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .trim();
