import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type BrowseApp, browseApp } from '../../../../test/apps/browse-app.ts';
import { parseDay } from './schedule-menu.ts';

let browse: BrowseApp;
before(async () => {
  browse = await browseApp('2026-03-28T12:30:00Z');
});
after(() => browse[Symbol.asyncDispose]());

const startsOf = (body: string): string[] =>
  [...body.matchAll(/ start="([^"]+)" duration="3600"/g)].map(([, start = '']) => start);

/** s1 has an hour after the other from the start of March 28 to the end of March 31, in UTC. */
const TABLE: [params: string, first: string, last: string, count: number][] = [
  ['', '2026-03-28T00:00:00', '2026-03-28T23:00:00', 24],
  ['&start=20260329', '2026-03-29T00:00:00', '2026-03-29T23:00:00', 24],
  ['&start=20260328&stop=20260330', '2026-03-28T00:00:00', '2026-03-30T23:00:00', 72],
  // Half past twelve: the next begins at one, and the window ends with the day that it is in 24 hours.
  ['&forward=true', '2026-03-28T13:00:00', '2026-03-29T23:00:00', 35],
  ['&forward=true&live=true', '2026-03-28T12:00:00', '2026-03-29T23:00:00', 36],
  ['&forward=true&start=20260401&stop=20260101', '2026-03-28T13:00:00', '2026-03-29T23:00:00', 35],
  // Clocks in Berlin go forward on March 29, which has 23 hours there.
  ['&username=ann&start=20260329', '2026-03-29T00:00:00', '2026-03-29T23:00:00', 23],
  ['&username=ann&start=20260328', '2026-03-28T01:00:00', '2026-03-28T23:00:00', 23],
  ['&offset=-300&start=20260328', '2026-03-28T00:00:00', '2026-03-28T23:00:00', 24],
  ['&offset=330&start=20260329', '2026-03-28T23:30:00', '2026-03-29T23:30:00', 25],
  ['&offset=+330&start=20260329', '2026-03-28T23:30:00', '2026-03-29T23:30:00', 25],
  ['&offset=%2B330&start=20260329', '2026-03-28T23:30:00', '2026-03-29T23:30:00', 25],
  // Tokyo, nine hours ahead, where nobody says otherwise; nowhere in particular is UTC.
  ['&autodetect=true&latlon=35.68,139.69&start=20260329', '2026-03-29T00:00:00', '2026-03-29T23:00:00', 24],
  ['&autodetect=true&latlon=35.68,139.69&start=20260328', '2026-03-28T09:00:00', '2026-03-28T23:00:00', 15],
  ['&autodetect=true&latlon=35.68,139.69&offset=0', '2026-03-28T00:00:00', '2026-03-28T23:00:00', 24],
  ['&autodetect=true', '2026-03-28T00:00:00', '2026-03-28T23:00:00', 24],
  ['&username=nobody', '2026-03-28T00:00:00', '2026-03-28T23:00:00', 24],
];
for (const [params, first, last, count] of TABLE) {
  test(`c=schedule${params}: ${count} shows from ${first} to ${last}`, async () => {
    const starts = startsOf(await browse.get(`/Browse.ashx?c=schedule&id=s1${params}`));
    assert.deepEqual([starts[0], starts.at(-1), starts.length], [first, last, count]);
    assert.deepEqual(starts, starts.toSorted(), 'in order');
  });
}

test('late in the evening the next hours still are no fewer than 24 and no more than 36', async () => {
  await using late = await browseApp('2026-03-28T23:10:00Z');
  const starts = startsOf(await late.get('/Browse.ashx?c=schedule&id=s1&forward=true'));
  assert.deepEqual([starts[0], starts.at(-1)], ['2026-03-29T00:00:00', '2026-03-29T23:00:00']);
  await using early = await browseApp('2026-03-28T00:10:00Z');
  const early36 = startsOf(await early.get('/Browse.ashx?c=schedule&id=s1&forward=true'));
  assert.deepEqual([early36[0], early36.at(-1)], ['2026-03-28T01:00:00', '2026-03-29T12:00:00']);
});

test('the zone is told to who has an account, and to nobody else', async () => {
  assert.match(await browse.get('/Browse.ashx?c=schedule&id=s1&username=ann'), / tz="Central European Time"/);
  assert.match(
    await browse.get('/Browse.ashx?c=schedule&id=s1&username=ann&locale=de'),
    / tz="Mitteleuropäische Zeit"/,
  );
  assert.doesNotMatch(await browse.get('/Browse.ashx?c=schedule&id=s1'), / tz="/);
});

const REFUSED: [params: string, why: RegExp][] = [
  ['&start=20260328&stop=20260331', /at most 3 days/],
  ['&start=20260328&stop=20260327', /&apos;stop&apos; is before &apos;start&apos;/],
  ['&start=20260230', /Parameter &apos;start&apos; is malformed/],
  ['&start=tomorrow', /Parameter &apos;start&apos; is malformed/],
  ['&offset=9000', /Parameter &apos;offset&apos; is malformed/],
];
for (const [params, why] of REFUSED) {
  test(`c=schedule${params} is refused`, async () => {
    const body = await browse.get(`/Browse.ashx?c=schedule&id=s1${params}`);
    assert.match(body, /<status>400<\/status>/);
    assert.match(body, why);
  });
}

test('a schedule is of a station, by our id or by another', async () => {
  assert.match(await browse.get('/Browse.ashx?c=schedule&id=s424242'), /<title>Harbour Folk<\/title>/);
  for (const id of ['s99', 'p101', ''])
    assert.match(await browse.get(`/Browse.ashx?c=schedule&id=${id}`), /<fault_code>request.idInvalid</);
});

test('a day is eight digits that a calendar has', () => {
  assert.equal(parseDay('20240229')?.toString(), '2024-02-29');
  for (const text of ['99991231', '00000101', '20250229', '2024-02-29', '202402291', '', '00000000'])
    assert.equal(parseDay(text), undefined, text);
});
