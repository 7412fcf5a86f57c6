import type { Question } from '../../../core/search/question.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readParams } from '../call/params.ts';
import { narrowed, readQuestion, readSearchOptions, type SearchOptions } from './question.ts';

const QUESTIONS: [query: string, question: Question][] = [
  ['query=Radio+Z%C3%BCrich', { words: ['radio', 'zurich'], fields: [] }],
  ['call=WNYC', { words: [], fields: [{ field: 'call', words: ['wnyc'] }] }],
  ['query=jazz&city=New+York', { words: ['jazz'], fields: [{ field: 'city', words: ['new', 'york'] }] }],
  ['query=wnyc&call', { words: ['wnyc'], fields: [{ field: 'call', words: ['wnyc'] }] }],
  ['query=wnyc&name=', { words: ['wnyc'], fields: [{ field: 'name', words: ['wnyc'] }] }],
  ['freq=93,9', { words: [], fields: [{ field: 'freq', words: ['93.9'] }] }],
  [
    'country=n12&genre=g5',
    {
      words: [],
      fields: [
        { field: 'genre', words: ['g5'] },
        { field: 'country', words: ['n12'] },
      ],
    },
  ],
  ['query=!!!', { words: [], fields: [] }],
  ['query=a+b+c+d+e+f+g+h+i+j+k+l', { words: 'abcdefghij'.split(''), fields: [] }],
];
for (const [query, question] of QUESTIONS) {
  test(`the question of ?${query}`, () => assert.deepEqual(readQuestion(readParams(query)), question));
}

for (const query of ['', 'query=', 'query', 'query=+', 'call', 'types=station']) {
  test(`?${query} asks nothing`, () => {
    const refusal = { status: 400, code: 'request.queryInvalid', message: 'Empty Query specified' };
    assert.throws(() => readQuestion(readParams(query)), refusal);
  });
}

const both: SearchOptions = { stations: true, shows: true, topics: false, unplayable: 'if few' };
const WISHES: [query: string, wish: SearchOptions][] = [
  ['', both],
  ['types=station', { ...both, shows: false }],
  ['types=show', { ...both, stations: false }],
  ['types=station,show', both],
  ['filter=s', { ...both, shows: false }],
  ['filter=s:popular', { ...both, shows: false }],
  ['filter=p', { ...both, stations: false }],
  ['filter=Show', { ...both, stations: false }],
  ['filter=p:topic', { ...both, stations: false, topics: true }],
  ['filter=standard', { ...both, unplayable: 'never' }],
  ['filter=off', { ...both, unplayable: 'always' }],
  ['filter=l5', both],
];
for (const [query, options] of WISHES) {
  test(`what ?${query} wants to see`, () => assert.deepEqual(readSearchOptions(readParams(query)), options));
}

test('a field that one kind of item has leaves the other out', () => {
  const of = (query: string): SearchOptions => narrowed(both, readQuestion(readParams(query)));
  assert.deepEqual(of('hosts=Ada'), { ...both, stations: false });
  for (const field of ['call', 'freq', 'city']) assert.deepEqual(of(`${field}=x`), { ...both, shows: false });
  assert.deepEqual(of('genre=jazz'), both);
});
