import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_TAGS, findPlacelessNetwork, isCredibleCountry, tellingTags } from './flood.ts';

test('signatures, repetitions and endless lists of tags are dropped', () => {
  assert.deepEqual(tellingTags(['Pop', ' pop ', 'Moi Merino', 'added by somebody', '', 'rock']), [
    'pop',
    'rock',
  ]);
  assert.deepEqual(tellingTags(['x'.repeat(61)]), []);
  const many = Array.from({ length: 100 }, (_, index) => `tag ${index}`);
  assert.deepEqual(tellingTags(many), many.slice(0, MAX_TAGS));
});

test('a network of internet channels is of no country, a station it carries is', () => {
  assert.equal(findPlacelessNetwork('AE', ['streaming.exclusive.radio']), 'exclusive.radio');
  assert.equal(findPlacelessNetwork('RU', ['8.8.8.8', 'radcap.ru']), 'radcap.ru');
  assert.equal(findPlacelessNetwork('MX', ['nl4.mystreaming.net']), undefined);
  assert.equal(findPlacelessNetwork('AE', ['stream.a.example', undefined]), undefined);
  assert.equal(findPlacelessNetwork(undefined, ['streaming.exclusive.radio']), undefined);
});

test('a doubtful country needs a second word', () => {
  const claim = { countryCode: 'GI', name: 'Top Hits', hosts: ['a.example'], words: ['pop', undefined] };
  assert.ok(!isCredibleCountry(claim));
  assert.ok(isCredibleCountry({ ...claim, name: 'Radio Gibraltar' }));
  assert.ok(isCredibleCountry({ ...claim, words: ['Gibraltar'] }));
  assert.ok(isCredibleCountry({ ...claim, hosts: [undefined, 'www.radio.gi'] }));
  assert.ok(isCredibleCountry({ ...claim, countryCode: 'DE' }));
  assert.ok(!isCredibleCountry({ ...claim, countryCode: 'AF' }));
  assert.ok(isCredibleCountry({ ...claim, countryCode: 'AF', name: 'راديو افغان' }));
  assert.ok(isCredibleCountry({ ...claim, countryCode: 'AF', hosts: ['radiokabul.example'] }));
});
