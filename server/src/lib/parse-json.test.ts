import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_LEVELS, parseJson, tryParseJson } from './parse-json.ts';

const deep = (levels: number): string => '[1,'.repeat(levels) + '1' + ']'.repeat(levels);

test('what is JSON is read, also after a byte order mark', () => {
  assert.deepEqual(parseJson('{"a":[1,"b"]}'), { a: [1, 'b'] });
  assert.deepEqual(parseJson('\ufeff{"a":1}'), { a: 1 });
  assert.equal(tryParseJson('{"a":'), undefined);
  assert.throws(() => parseJson('{"a":'), SyntaxError);
});

test('nesting is read to its limit and refused beyond it', () => {
  assert.equal(JSON.stringify(parseJson(deep(MAX_LEVELS))), deep(MAX_LEVELS));
  assert.throws(() => parseJson(deep(MAX_LEVELS + 1)), /deeper than 200 levels/);
  const wide = `[${Array.from({ length: 1000 }, () => '{"a":[]}').join()}]`;
  assert.equal(JSON.stringify(parseJson(wide)), wide);
});

test('brackets inside of texts are no levels, whatever is escaped there', () => {
  const text = JSON.stringify({ title: '["{'.repeat(500), path: 'C:\\', after: '{'.repeat(500) });
  assert.equal(JSON.stringify(parseJson(text)), text);
});

/** Given to JSON.parse of Node 26 a few times, most of these end the process. */
test('deep text that breaks off is refused, and the process lives', () => {
  for (const level of ['[1,', '{"a":1,"b":', '[1,{"a":', '{"p":1,"a":[', '[ 1,\n\t', '["\\"]",'])
    for (const end of ['1', '{', '1}', '"x', ''])
      for (const levels of [9000, 100_000])
        assert.throws(() => parseJson(level.repeat(levels) + end), /deeper than/, `${level} ${end}`);
});
