import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readExplanation } from '../../../../../client/src/explanation.ts';
import { readJson } from '../../../../../client/src/read-json.ts';
import { FAILURE_CODES, VERDICTS } from '../../../../../server/src/lib/failure-code.ts';
import { en } from '../../../i18n/en.ts';
import { whyHere } from './why-here.ts';
import { whySilent } from './why-silent.ts';

const silent = (failureCode?: string, verdict?: string): string => whySilent({ failureCode, verdict });

test('every code that the server tells has its words', () => {
  assert.ok(FAILURE_CODES.length > 25);
  const wordless = FAILURE_CODES.filter((code) => code !== 'other' && silent(code) === 'station.whyOther');
  assert.deepEqual(wordless, []);
  const said = new Set(FAILURE_CODES.map((code) => silent(code)));
  const unsaid = Object.keys(en).filter((key) => key.startsWith('station.why') && !said.has(key));
  assert.deepEqual(unsaid, [], 'no word is left over');
});

test('a code of tomorrow, or none, is told by the verdict, and never by nothing', () => {
  const given = VERDICTS.map((verdict) => [verdict, silent('of_tomorrow', verdict)]);
  assert.deepEqual(Object.fromEntries(given), {
    plays: 'station.whyOther',
    dead: 'station.whyOther',
    refused: 'station.whyRefused',
    geo: 'station.whyGeo',
    tls: 'station.whyTlsOld',
    codec: 'station.whyCodec',
    hls: 'station.whyPlaylist',
    busy: 'station.whyBusy',
  });
  for (const odd of [undefined, 'constructor', '']) assert.equal(silent(odd, odd), 'station.whyOther');
});

const leftOut = (code: string): string => whyHere({ position: undefined, code, verdict: 'plays' }, 1);

test('of a stream as the server explains it, it is said why it was not heard and why it comes where it does', () => {
  const file = join(
    import.meta.dirname,
    '../../../../../server/src/protocols/radiotime/tune/golden/explained.json',
  );
  const { streams } = readExplanation(readJson(readFileSync(file, 'utf8')).outlines);
  const [unheard = assert.fail(), heard = assert.fail()] = streams;
  assert.deepEqual([whySilent(heard), whyHere(heard, 2)], ['station.whyGone', 'station.placeSunk']);
  assert.equal(whyHere(unheard, 2), 'station.placeFirst');
  assert.equal(whyHere({ ...unheard, position: 2 }, 2), 'station.placeLater');
  assert.equal(whyHere(heard, 1), 'station.placeOnly');
  assert.deepEqual(['format', 'unknown-format', 'hls', 'tls', 'playlist', 'address'].map(leftOut), [
    ...Array<string>(3).fill('station.placeFormat'),
    ...Array<string>(3).fill('station.placeLeftOut'),
  ]);
});
