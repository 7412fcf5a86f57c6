import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_ENTRIES } from './entry.ts';
import { parsePls } from './pls.ts';

const plain = (text: string) => parsePls(text).map(({ address, name }) => [address, name]);

test('entries are joined by number and given in its order', () => {
  const text = [
    '\ufeff[playlist]',
    'NumberOfEntries=2',
    'File10=http://a.example/ten',
    'Title2=Two = best',
    'file2 = http://a.example/two',
    'Length2=-1',
    'Title3=nothing to play',
    'File4=C:\\local.mp3',
  ].join('\r\n');
  assert.deepEqual(plain(text), [
    ['http://a.example/two', 'Two = best'],
    ['http://a.example/ten', undefined],
  ]);
  assert.equal(parsePls(text)[0]?.attributes.get('length'), '-1');
});

test('what is no PLS gives nothing, and the number of entries is bounded', () => {
  assert.deepEqual(parsePls('<html>File1=</html>'), []);
  const many = Array.from({ length: MAX_ENTRIES + 3 }, (_, index) => `File${index + 1}=http://a.example/`);
  assert.equal(parsePls(many.join('\n')).length, MAX_ENTRIES);
});
