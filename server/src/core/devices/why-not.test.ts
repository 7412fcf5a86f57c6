import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DiaryCall } from './recent-calls.ts';
import { findTrouble, strayLabel } from './why-not.ts';

const caller = { partnerId: 'k1tchen', profile: 'old-radio' };
const calls = (...several: Omit<DiaryCall, 'at'>[]): DiaryCall[] =>
  several.map((call, index) => ({ at: -index, ...call }));
const browsed = { what: 'Browse local', status: 200 };
const played = { what: 'Tune s1', status: 200 };
const refused = {
  what: 'Browse',
  status: 403,
  code: 'partner.invalid',
  answer: 'No such partner',
};

/** What it did, the latest first; what is said of it, or undefined. */
const CASES: [name: string, did: DiaryCall[], text: RegExp | undefined, mend?: RegExp][] = [
  ['a radio that has only browsed', calls(browsed), undefined],
  ['one that was given a stream', calls(browsed, played, browsed), undefined],
  ['one that was refused before it was registered', calls(played, refused), undefined],
  ['a menu that failed after the stream', calls({ what: 'Browse x', status: 404 }, played), undefined],
  ['nothing', [], undefined],
  [
    'no stream in a format it plays',
    calls(browsed, {
      ...played,
      code: 'tune.notCompatible',
      answer: 'No stream for formats=mp3; there is hls',
    }),
    /^s1: No stream for formats=mp3; there is hls$/,
    /^longwave why s1 --device old-radio$/,
  ],
  [
    'HTTPS only',
    calls({
      ...played,
      code: 'tune.notCompatible',
      answer: 'it needs HTTPS, which the device does not support',
    }),
    /needs HTTPS/,
    /longwave why s1/,
  ],
  [
    'no stream at all',
    calls({ ...played, code: 'tune.nothing', answer: 'There is nothing' }),
    /^s1: There is nothing/,
  ],
  [
    'a Tune that failed after one that did not',
    calls({ what: 'Tune s2', status: 400, answer: 'gone' }, played),
    /^Tune s2: gone$/,
  ],
  [
    'a partner that is refused',
    calls(refused),
    /partner id k1tchen is refused: No such partner/,
    /^longwave partner add k1tchen/,
  ],
  [
    'a radio of another directory',
    calls({ what: strayLabel('/setupapp/Yamaha/asp/x.asp?mac=1'), status: 404 }),
    /speaks vTuner/,
    /remove the override/,
  ],
  [
    'one that asks too much',
    calls({ what: 'Browse', status: 429, code: 'request.limit' }),
    /too often/,
    /CALLS_PER_ADDRESS/,
  ],
  [
    'a server in trouble',
    calls({ what: 'Tune s1', status: 503, answer: 'busy' }),
    /^Tune s1: busy$/,
    /^longwave doctor$/,
  ],
  [
    'a page that is not here',
    calls({ what: strayLabel('/v1/somebody'), status: 404 }),
    /^it asks for pages that are not here$/,
  ],
];

for (const [name, did, text, mend] of CASES)
  test(`${name}: ${text === undefined ? 'nothing is wrong' : 'it is said why'}`, () => {
    const trouble = findTrouble(did, caller);
    if (text === undefined) assert.equal(trouble, undefined);
    else assert.match(trouble?.text ?? '', text);
    if (mend) assert.match(trouble?.mend ?? '', mend);
  });
