import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Question } from './question.ts';
import {
  anywhereQuery,
  inNameQuery,
  lastWordQuery,
  respelledQuery,
  someQuery,
  wholeQuery,
} from './text-query.ts';

const of = (...words: string[]): Question => ({ words, fields: [] });

const ANYWHERE: [question: Question, query: string][] = [
  [of('jazz'), `'jazz':*`],
  [of('fm'), `'fm'`],
  [of('big', 'fm'), `(('big' | 'bigfm':*) & ('fm' | 'bigfm':*))`],
  [of('a', 'b', 'c'), `(('a' | 'ab') & ('b' | 'ab' | 'bc') & ('c' | 'bc'))`],
  [of('北京交通'), `('北京':* & '京交':* & '交通':*)`],
  [{ words: [], fields: [{ field: 'call', words: ['wnyc'] }] }, `'call=wnyc'`],
  [{ words: [], fields: [{ field: 'hosts', words: ['ada'] }] }, `'call=ada'`],
  [{ words: [], fields: [{ field: 'name', words: ['town', 'fm'] }] }, `('town':A & 'fm':A)`],
  [
    { words: ['jazz'], fields: [{ field: 'city', words: ['new', 'york'] }] },
    `('jazz':* & ('city=new' & 'city=york'))`,
  ],
];
for (const [question, query] of ANYWHERE) {
  test(`${JSON.stringify(question)} anywhere`, () => assert.equal(anywhereQuery(question), query));
}

test('typed to the end: no word is the beginning of another', () => {
  assert.equal(wholeQuery(of('big', 'jazz')), `(('big' | 'bigjazz') & ('jazz' | 'bigjazz'))`);
  assert.equal(lastWordQuery(of('big', 'jazz')), `'jazz'`);
  assert.equal(lastWordQuery(of()), '');
});

test('within a name every word is typed to its end', () => {
  assert.equal(
    inNameQuery(of('town', 'radio')),
    `(('town':AB | 'townradio':AB) & ('radio':AB | 'townradio':AB))`,
  );
});

test('a word may have been meant for another', () => {
  const meant = [{ word: 'radoi', others: ['radio'] }, { word: '4' }];
  assert.equal(respelledQuery(meant, of('radoi', '4')), `(('radoi' | 'radio') & '4')`);
});

test('so many words, whichever', () => {
  const meant = ['a', 'b', 'c'].map((word) => ({ word }));
  assert.equal(someQuery(meant, 2, of('a', 'b', 'c')), `(('a' & 'b') | ('a' & 'c') | ('b' & 'c'))`);
});
