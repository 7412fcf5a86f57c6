import assert from 'node:assert/strict';
import { test } from 'node:test';
import known from './nicknames.json' with { type: 'json' };
import { behindNickname } from './nicknames.ts';
import { questionWords } from './question.ts';

const typed = (text: string): { words: string[]; fields: [] } => ({ words: questionWords(text), fields: [] });

test('a nickname stands for the name that people of the country mean', () => {
  assert.deepEqual(behindNickname(typed('OE3'), 'AT')?.words, questionWords('ö3'));
  assert.deepEqual(behindNickname(typed('Stu Bru'), 'BE')?.words, questionWords('studio brussel'));
  assert.deepEqual(behindNickname(typed('radio 4'), 'GB')?.words, questionWords('bbc radio 4'));
});

test('elsewhere, beside a field, or without a country it is a name like any other', () => {
  assert.equal(behindNickname(typed('oe3'), 'SE'), undefined);
  assert.equal(behindNickname(typed('oe3'), undefined), undefined);
  const inField = { ...typed('oe3'), fields: [{ field: 'city', words: ['wien'] }] as const };
  assert.equal(behindNickname(inField, 'AT'), undefined);
  assert.equal(behindNickname(typed(''), 'AT'), undefined);
});

test('no nickname is another spelling of what it stands for, nor stands for another nickname', () => {
  for (const [country, names] of Object.entries(known))
    for (const [nickname, meant] of Object.entries(names)) {
      assert.notDeepEqual(questionWords(nickname).join(''), questionWords(meant).join(''), nickname);
      assert.equal(behindNickname(typed(meant), country), undefined, `${country} ${nickname}`);
    }
});
