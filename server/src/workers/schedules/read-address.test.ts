import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayAddresses } from './ask-address.ts';
import { nextInterval, type ReadingNews, waitAfterFailure } from './read-address.ts';

const HOUR = 3600;
const usual: ReadingNews = {
  intervalSeconds: 6 * HOUR,
  isNew: false,
  freshSeconds: 0,
  aheadSeconds: undefined,
};

const INTERVALS: [what: string, news: Partial<ReadingNews>, hours: number][] = [
  ['nothing new', {}, 9],
  ['something new', { isNew: true }, 3],
  ['never sooner than an hour', { isNew: true, intervalSeconds: HOUR }, 1],
  ['never later than a day', { intervalSeconds: 20 * HOUR }, 24],
  ['as long as the server says that it holds', { isNew: true, freshSeconds: 12 * HOUR }, 12],
  ['but not for a year', { freshSeconds: 8760 * HOUR }, 24],
  ['before what is known runs out', { aheadSeconds: 8 * HOUR, freshSeconds: 12 * HOUR }, 4],
  ['what has run out is no reason to hammer', { aheadSeconds: -HOUR }, 1],
];
for (const [what, news, hours] of INTERVALS) {
  test(`read again in ${hours} hours: ${what}`, () => {
    assert.equal(nextInterval({ ...usual, ...news }) / HOUR, hours);
  });
}

test('failures wait twice as long each time, to a day, and as long as they are told to, to a week', () => {
  assert.deepEqual(
    [0, 1, 2, 6, 7, 30_000].map((failures) => waitAfterFailure(failures) / 900),
    [1, 2, 4, 64, 96, 96],
  );
  assert.equal(waitAfterFailure(0, 1000), 1000);
  assert.equal(waitAfterFailure(0, 10), 900);
  assert.equal(waitAfterFailure(0, 1e9), 7 * 86_400);
});

test('an address with a day in it is seven, over the end of a year', () => {
  const today = Temporal.PlainDate.from('2026-12-30');
  const addresses = dayAddresses('https://a.example/{yyyymmdd}/{yyyy-mm-dd}_PI.xml', today);
  assert.equal(addresses.length, 7);
  assert.deepEqual(addresses[2], {
    day: '20270101',
    address: 'https://a.example/20270101/2027-01-01_PI.xml',
  });
  const plain = 'https://a.example/{station}.ics';
  assert.deepEqual(dayAddresses(plain, today), [{ day: '', address: plain }]);
});
