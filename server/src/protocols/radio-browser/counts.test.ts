import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Pool } from 'pg';
import { type BlackHole, startBlackHole } from '../../../test/internet/black-hole.ts';
import { waitUntil } from '../../../test/time/wait-until.ts';
import { radioBrowserApp } from '../../../test/apps/radio-browser-app.ts';
import { type SeededDirectory, seededDirectory } from '../../../test/content/seeded-directory.ts';
import { createPool } from '../../storage/db/pool.ts';
import { setDatabaseWaitFactor } from '../../storage/db/wait-factor.ts';
import { ManualClock } from '../../../test/time/manual-clock.ts';

// How long it takes to give up is measured.
setDatabaseWaitFactor(1);

let seeded: SeededDirectory;
let network: BlackHole;
let pool: Pool;
before(async () => {
  seeded = await seededDirectory();
  network = await startBlackHole(Number(new URL(seeded.database.url).port));
  pool = createPool({ databaseUrl: network.urlOf(seeded.database.url), size: 4, applicationName: 'test' });
});
after(async () => {
  await network[Symbol.asyncDispose]();
  await pool.end();
  await seeded[Symbol.asyncDispose]();
});

const clock = new ManualClock('2026-05-01T10:00:00Z');

function open() {
  const { ask, list, app } = radioBrowserApp(seeded, { clock, db: pool });
  const stationOf = async (name: string) =>
    (await list(`/json/stations/bynameexact/${name}`))[0] ?? assert.fail(name);
  return {
    app,
    list,
    stationOf,
    get: async (url: string, remoteAddress = '203.0.113.5', headers = {}) => {
      const { statusCode, body } = await ask({ url, remoteAddress, headers });
      return { statusCode, ...JSON.parse(body) };
    },
    head: (url: string) => ask({ url, method: 'HEAD' }),
    saved: async (name: string): Promise<{ votes: number; pinned: string[] }> => {
      const { rows } = await seeded.database.pool.query(
        'SELECT votes, pinned FROM stations WHERE name = $1',
        [name],
      );
      return rows[0];
    },
  };
}

test('a click counts once a day for an address and a station', async () => {
  const { app, get, head, stationOf } = open();
  const { stationuuid: id, clickcount } = await stationOf('Elbwelle');
  await head(`/json/url/${id}`);
  for (const address of ['203.0.113.5', '203.0.113.5', '203.0.113.6', '2001:db8::1', '2001:db8::2'])
    assert.equal((await get(`/json/url/${id}`, address)).ok, true);
  await get(`/json/url/${id}`, '203.0.113.5', { 'x-forwarded-for': '198.51.100.9' });
  const now = await stationOf('Elbwelle');
  assert.equal(now['clickcount'], Number(clickcount) + 3, 'one subscriber of IPv6 is one caller');
  assert.equal(now['clicktimestamp_iso8601'], '2026-05-01T10:00:00Z');
  assert.equal((await get('/json/stats')).clicks_last_hour, 3);
  clock.advance({ hours: 2 });
  await get(`/json/url/${id}`, '203.0.113.7');
  const { clicks_last_hour: lastHour, clicks_last_day: lastDay } = await get('/json/stats');
  assert.deepEqual([lastHour, lastDay], [1, 4]);
  clock.advance({ hours: 23 });
  assert.equal((await stationOf('Elbwelle'))['clickcount'], Number(clickcount) + 1, 'those of a day');
  await get(`/json/url/${id}`, '203.0.113.5');
  assert.equal((await stationOf('Elbwelle'))['clickcount'], Number(clickcount) + 2, 'another day');
  await app.close();
});

test('a vote counts once a day for an address and a station', async () => {
  const { app, get, head, stationOf, saved } = open();
  const { stationuuid: id } = await stationOf('Fjordradio');
  const { votes } = await saved('Fjordradio');
  await head(`/json/vote/${id}`);
  const first = await get(`/json/vote/${id}`);
  assert.deepEqual([first.ok, first.message], [true, 'voted for station successfully']);
  const again = await get(`/json/vote/${id}`);
  assert.deepEqual(
    [again.statusCode, again.ok, again.message],
    [200, false, 'you are voting for the same station too often'],
  );
  assert.equal((await get(`/json/vote/${id}`, '203.0.113.6')).ok, true);
  assert.equal((await stationOf('Fjordradio'))['votes'], votes + 2);
  clock.advance({ hours: 25 });
  assert.equal((await get(`/json/vote/${id}`)).ok, true);
  assert.equal((await saved('Fjordradio')).votes, votes + 3);
  assert.deepEqual((await saved('Fjordradio')).pinned, ['votes'], 'no import takes them back');
  await app.close();
});

test('with the database away stations are listed, a vote is refused and not counted later, and a click counts', async () => {
  const { app, get, list, stationOf, saved } = open();
  const { stationuuid: id } = await stationOf('Grachtenradio');
  const urls = [
    'stations',
    'tags',
    'countries',
    `stations/byuuid/${id}`,
    'stations/search?tag=jazz&order=votes',
  ];
  const whole = await Promise.all(urls.map((url) => list(`/json/${url}`)));
  const { votes } = await saved('Grachtenradio');
  const { clickcount } = await stationOf('Grachtenradio');
  network.hold();
  assert.deepEqual(await Promise.all(urls.map((url) => list(`/json/${url}`))), whole);
  assert.equal((await get(`/json/url/${id}`)).ok, true);
  assert.equal((await stationOf('Grachtenradio'))['clickcount'], Number(clickcount) + 1);
  const refused = await get(`/json/vote/${id}`);
  assert.deepEqual([refused.statusCode, refused.ok], [503, false]);
  assert.match(refused.message, /database is not responding/);
  const byUrl = await get('/json/stations/byurl?url=http://stream.example.net/elbwelle-192.mp3');
  assert.equal(byUrl.statusCode, 503);
  network.resume();
  const voted = await waitUntil('the database is in use again', async () => {
    const answer = await get(`/json/vote/${id}`);
    return answer.statusCode === 200 ? answer : undefined;
  });
  assert.equal(voted.ok, true, 'what was refused may be tried again');
  await app.close();
  assert.equal((await saved('Grachtenradio')).votes, votes + 1);
});
