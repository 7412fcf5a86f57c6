import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type BrowseApp, browseApp } from '../../../../test/apps/browse-app.ts';
import { keepSongs } from '../../../storage/catalog/songs.ts';

let app: BrowseApp;
before(async () => {
  app = await browseApp();
  await keepSongs(app.database.pool, [
    {
      stationId: 1,
      title: 'First <Light>',
      artist: 'The Duo',
      startedAtMs: Date.parse('2026-03-28T11:56:00Z'),
    },
    { stationId: 1, title: 'Station news', startedAtMs: Date.parse('2026-03-28T12:00:00Z') },
  ]);
  const many = Array.from({ length: 60 }, (_, n) => ({
    stationId: 2,
    title: `Song ${n}`,
    startedAtMs: Date.parse('2026-03-28T06:00:00Z') + n * 240_000,
  }));
  await keepSongs(app.database.pool, many);
});
after(() => app[Symbol.asyncDispose]());

const lines = (body: string): string[] => body.split('\n').filter((line) => line.startsWith('<outline'));

test('what a station played comes latest first, at the time of its own clocks', async () => {
  const { zone } = app.snapshot.stationById.get(1) ?? assert.fail();
  const local = Temporal.Instant.from('2026-03-28T12:00:00Z').toZonedDateTimeISO(zone ?? 'UTC');
  const start = local.toPlainDateTime().toString({ smallestUnit: 'second' });
  const [latest = '', first = ''] = lines(await app.get('/Browse.ashx?c=playlist&id=s1'));
  assert.match(
    latest,
    new RegExp(`^<outline type="text" text="Station news" start="${start}" tz="[^"]+"/>$`),
  );
  assert.match(first, /^<outline type="text" text="First &lt;Light&gt;" subtext="The Duo" start="/);
});

test('a caller may say how far from UTC it is, and an account has its own zone', async () => {
  assert.match(
    await app.get('/Browse.ashx?c=playlist&id=s1&offset=120'),
    /text="Station news" start="2026-03-28T14:00:00"/,
  );
  const { pool } = app.database;
  await pool.query(`INSERT INTO accounts (id, username, password_hash, zone) VALUES (4711, 'zoned', 'x', 'Asia/Tokyo');
    INSERT INTO usernames (username_key, account_id) VALUES ('zoned', 4711)`);
  assert.match(
    await app.get('/Browse.ashx?c=playlist&id=s1&username=zoned&offset=120'),
    /start="2026-03-28T21:00:00" tz="Japan Standard Time"/,
  );
});

test('fifty songs are told at most, and a station without songs says so', async () => {
  const given = lines(await app.get('/Browse.ashx?c=playlist&id=s2'));
  assert.deepEqual([given.length, given[0]?.includes('"Song 59"')], [50, true]);
  assert.match(await app.get('/Browse.ashx?c=playlist&id=s3'), /type="text" text="No songs known yet"/);
  assert.match(await app.get('/Browse.ashx?c=playlist&id=s3&locale=de'), /Noch keine Titel bekannt/);
  assert.match(await app.get('/Browse.ashx?c=playlist&id=p1'), /request\.idInvalid/);
});
