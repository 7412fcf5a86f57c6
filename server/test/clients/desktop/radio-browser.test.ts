import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ApiRecord } from '../../apps/radio-browser-app.ts';
import { playInClementine } from './clementine.ts';
import type { House } from '../../house/house.ts';
import type { Program } from '../../processes/program.ts';
import { serveHouse } from '../../house/served-house.ts';
import { waitFor, waitUntil } from '../../time/wait-until.ts';

/** The name that apps have built in leads to the directory, as an owner would have it. */
const ORIGIN = 'http://all.api.radio-browser.info';
const HOSTS =
  '127.0.0.1 localhost opml.radiotime.com all.api.radio-browser.info\n127.0.0.2 stream.example.net\n';
/** Of a record of radio-browser, which an app has as a favourite. */
const UUID = '11111111-0000-4000-8000-000000000001';

interface Named {
  name: string;
}
const names = (items: readonly Named[]): string[] => items.map(({ name }) => name);

test('programs for radio-browser use this directory', async (t) => {
  await using served = await serveHouse(
    async (pool) => {
      await pool.query(
        `INSERT INTO aliases SELECT 'radio-browser', $1, 's', id FROM stations WHERE name = 'Harbour Folk'`,
        [UUID],
      );
    },
    { house: { files: { '/etc/hosts': HOSTS } } },
  );
  const { house, get } = served;
  const station = async (name: string): Promise<ApiRecord> => {
    const found: ApiRecord[] = JSON.parse(
      await get(`/json/stations/bynameexact/${encodeURIComponent(name)}`),
    );
    return found[0] ?? assert.fail(`${name} is not found`);
  };

  await t.test('radio-browser-api and radio-browser of npm list, search, click and vote', async () => {
    const harness = join(import.meta.dirname, 'drive-radio-browser.ts');
    const { before, modern, classic } = JSON.parse(await house.run(process.execPath, [harness, ORIGIN]));
    assert.deepEqual(modern.countries, [{ name: 'Ireland', iso_3166_1: 'IE', stationcount: 1 }]);
    assert.deepEqual(names(modern.countryCodes), ['IE']);
    assert.ok(names(modern.codecs).includes('FLAC'));
    assert.deepEqual(modern.states[0], { name: 'Hamburg', country: 'Germany', stationcount: 1 });
    assert.ok(names(modern.languages).includes('german'));
    assert.ok(names(modern.tags).includes('jazz'));
    assert.ok(names(modern.byTag).includes('Lantern Jazz'));
    assert.deepEqual(names(modern.byName), ['月下ラジオ']);
    assert.deepEqual(names(modern.search), ['Highveld Jazz']);
    assert.deepEqual(names(modern.byVotes), names(classic.top));
    assert.ok(modern.all.length > 50);
    assert.deepEqual(names([...modern.byId, ...modern.byUrl]), ['Fjordradio', 'Fjordradio']);
    assert.deepEqual([modern.click.ok, modern.click.url], [true, before.fjord.url]);
    assert.deepEqual([modern.vote.ok, modern.voteAgain.ok], [true, false]);
    assert.equal(modern.after[0].clickCount, before.fjord.clickCount + 1);
    assert.equal(modern.after[0].votes, before.fjord.votes + 1);

    assert.deepEqual(names(classic.states), ['Berlin']);
    assert.deepEqual(names(classic.tags), ['folk & singer-songwriter']);
    assert.equal(classic.byTag.length, 4);
    assert.deepEqual(names(classic.byUrl), ['Grachtenradio']);
    assert.deepEqual(names(classic.search), ['Grachtenradio']);
    assert.equal(classic.stats.status, 'OK');
    assert.equal(classic.mirrors.length, 1);
    assert.equal(classic.checks[0].urlcache, before.radio.url);
    assert.deepEqual([classic.click.ok, classic.vote.ok, classic.voteAgain.ok], [true, true, false]);
    assert.equal(classic.after[0].clickcount, before.radio.clickcount + 1);
    assert.equal(classic.after[0].votes, before.radio.votes + 1);
  });

  await t.test('streamtuner2 lists tags and stations, and tells when it plays one', async () => {
    const harness = join(import.meta.dirname, 'streamtuner2-radio-browser.py');
    const before = await station('Lantern Jazz');
    const args = [harness, 'jazz', 'Lantern Jazz'];
    const env = { PYTHONDONTWRITEBYTECODE: '1' };
    const { categories, top, stations, played } = JSON.parse(
      await house.run('/usr/bin/python3', args, { env }),
    );
    assert.ok(categories.includes('jazz'), categories.join(', '));
    assert.equal(top[0].title, 'Lantern Jazz');
    assert.ok(stations.some(({ title }: { title: string }) => title === 'Highveld Jazz'));
    assert.deepEqual([played.url, played.bitrate, played.playing], [before['url'], 192, 'United States']);
    assert.equal((await station('Lantern Jazz'))['clickcount'], Number(before['clickcount']) + 1);
  });

  await t.test('Clementine plays a favourite by its UUID', async () => {
    const sounds = await serveSound(house, 'harbourfolk-128.mp3');
    const before = await station('Harbour Folk');
    assert.equal(before['stationuuid'], UUID);
    const clementine = await playInClementine(house, ORIGIN, UUID);
    await waitFor(
      clementine,
      'a call for the stream',
      async () => /"\/harbourfolk-128\.mp3"/.exec(sounds.said())?.[0],
    );
    await waitUntil('the click', async () => {
      const { clickcount } = await station('Harbour Folk');
      return clickcount === Number(before['clickcount']) + 1 || undefined;
    });
  });
});

/** The host of the streams, with one of them on air. */
async function serveSound(house: House, file: string): Promise<Program> {
  const folder = join(house.folder, 'sounds');
  mkdirSync(folder);
  const tone = ['-v', 'error', '-f', 'lavfi', '-i', 'sine=frequency=440:duration=8', join(folder, file)];
  await house.run('ffmpeg', tone);
  const sounds = house.start(process.execPath, [
    join(import.meta.dirname, '../players/serve-sounds.ts'),
    folder,
    '127.0.0.2',
  ]);
  await waitFor(sounds, 'the station', async () => sounds.said().includes('"serving"') || undefined);
  return sounds;
}
