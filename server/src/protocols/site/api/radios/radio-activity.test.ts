import assert from 'node:assert/strict';
import test from 'node:test';
import { wordsFor } from '../../../../core/i18n/words.ts';
import type { DiaryCall } from '../../../../core/devices/recent-calls.ts';
import { radioActs } from './radio-activity.ts';

const NAMES = new Map([
  ['s3', 'Lantern Jazz'],
  ['g57', 'Folk'],
]);
const call = (what: string, more: Partial<DiaryCall> = {}): DiaryCall => ({
  at: 0,
  what,
  status: 200,
  ...more,
});
const told = (calls: DiaryCall[], language = 'en') =>
  radioActs(calls, wordsFor(language), (id) => NAMES.get(id));
const sentenceOf = (one: DiaryCall, language = 'en'): string | undefined =>
  told([one], language)[0]?.sentence;

for (const [what, sentence, key] of [
  ['Tune s3', 'Played Lantern Jazz', 'play'],
  ['Tune s9', 'Played a station that is no longer listed', 'play'],
  ['Browse g57', 'Browsed: Folk', 'knob'],
  ['Browse', 'Opened a menu', 'knob'],
  ['Browse presets', 'Opened your presets', 'preset'],
  ['Search', 'Searched', 'search'],
  ['Preset add s3', 'Saved Lantern Jazz as a preset', 'preset'],
  ['Preset remove s3', 'Removed Lantern Jazz from your presets', 'preset'],
  ['Account auth', 'Signed in', 'power'],
  ['Account claim', 'Showed a code for pairing', 'power'],
  ['vTuner menu root', 'Opened a menu', 'knob'],
  ['vTuner favxml', 'Opened your presets', 'preset'],
  ['constructor', 'Connected', 'power'],
  ['', 'Connected', 'power'],
] as const)
  test(`"${what}" is told as "${sentence}"`, () => {
    const [act] = told([call(what)]);
    assert.deepEqual([act?.sentence, act?.key, act?.trouble], [sentence, key, undefined]);
  });

test('what was searched for is told as it was typed', () => {
  assert.equal(sentenceOf(call('Search', { query: 'jazz' })), 'Searched: jazz');
  assert.equal(sentenceOf(call('vTuner search', { query: 'a {name} $&' }), 'de'), 'Gesucht: a {name} $&');
});

test('the same several times in a row is told once, with its number and the last time', () => {
  const acts = told([
    call('Tune s3', { at: 3000 }),
    call('Tune s3', { at: 2000 }),
    call('Browse'),
    call('Tune s3'),
  ]);
  assert.deepEqual(
    acts.map(({ sentence, count }) => [sentence, count]),
    [
      ['Played Lantern Jazz', 2],
      ['Opened a menu', 1],
      ['Played Lantern Jazz', 1],
    ],
  );
  assert.equal(acts[0]?.at, '1970-01-01T00:00:03Z');
});

for (const [more, trouble] of [
  [{ code: 'tune.nothing' }, /^No stream of Lantern Jazz can be heard .* Try again later/],
  [{ code: 'tune.notCompatible' }, /^This radio cannot play any stream of Lantern Jazz\. Choose another/],
  [{ status: 404 }, /no longer in the directory/],
  [{ status: 403, code: 'partner.invalid' }, /Ask its operator/],
  [{ status: 429, code: 'request.tooMany' }, /Wait a minute/],
  [{ status: 503 }, /^The directory had a problem/],
  [{ status: 400, code: 'validation.credentials' }, /Create a new password/],
  [{ status: 400, code: 'other', answer: 'because' }, /^It was refused: because$/],
] as const)
  test(`a refusal (${JSON.stringify(more)}) says what is wrong and what to do`, () => {
    const [act] = told([call('Tune s3', more)]);
    assert.equal(act?.sentence, 'Tried to play Lantern Jazz');
    assert.match(act.trouble ?? '', trouble);
  });
