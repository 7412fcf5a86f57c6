import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { refreshSearch } from '../../../src/storage/catalog/search/refresh-search.ts';
import { seededDatabase } from '../../database/database.ts';
import { keepLog } from '../../processes/keep-log.ts';
import { audibleSeconds } from '../players/audible-seconds.ts';
import { openDatabaseProxy } from '../../house/database-door.ts';
import { type House, openHouse } from '../../house/house.ts';
import { startIcecast } from '../../house/icecast.ts';
import { type KodiCall, startKodiWithUpnp } from '../players/kodi.ts';
import { startMpd } from '../players/mpd.ts';
import { waitFor, waitUntil } from '../../time/wait-until.ts';

const MAIN = join(import.meta.dirname, '../../../src/main.ts');
const SSDP_ASK = join(import.meta.dirname, 'ssdp-ask.ts');
const UUID = '2f402f80-da50-11e1-9b23-001788255acc';
const ORIGIN = 'http://192.168.77.1:8706';
const MEDIA_SERVER = 'urn:schemas-upnp-org:device:MediaServer:1';
/** An account whose presets the house sees. */
const ROWS = `
INSERT INTO accounts (id, username, password_hash) VALUES (7, 'Ann', 'none');
INSERT INTO usernames (username_key, account_id) VALUES ('ann', 7);
INSERT INTO folders (account_id, id, name, is_default, position) VALUES (7, 1024 + 7, 'Kitchen', true, 1);
INSERT INTO presets (account_id, id, folder_id, position, kind, item_id) VALUES
  (7, 1024 + 7, 1024 + 7, 1, 's', 1), (7, 2 * 1024 + 7, 1024 + 7, 2, 's', 2);`;

test('players in a house find the media server by themselves', { timeout: 400_000 }, async (t) => {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await seededDatabase());
  await database.pool.query(ROWS);
  await refreshSearch(database.pool);
  const house = await openHouse({ isLan: true });
  const door = opened.use(await openDatabaseProxy(house.folder, database.url));
  opened.use(house);
  await startIcecast(house);
  // One that is there before the server hears it announce itself.
  const early = house.start('gssdp-discover', ['-i', 'lan0', '-t', MEDIA_SERVER]);
  const server = house.start(process.execPath, [MAIN, 'upnp'], { env: settings(door.url) });
  opened.defer(() => keepLog(server.said()));
  await waitFor(
    server,
    'the media server',
    async () => server.said().includes('"a media server"') || undefined,
  );

  await t.test('it announces itself, and answers who searches', async () => {
    const isThere = /resource available\s+USN:\s+uuid:2f402f80[^\n]*MediaServer:1\s+Location: (\S+)/;
    const announced = await waitUntil('announced', async () => isThere.exec(early.said()) ?? undefined);
    assert.equal(announced[1], `${ORIGIN}/description.xml`);
    const targets = [MEDIA_SERVER, 'upnp:rootdevice', `uuid:${UUID}`, 'ssdp:all', 'urn:x:device:Toaster:1'];
    const found = await Promise.all(targets.map((target) => find(house, target)));
    assert.deepEqual(
      found.map((said) => said.includes(`${ORIGIN}/description.xml`)),
      [true, true, true, true, false],
      found.join(''),
    );
  });

  await t.test(
    'addresses of no network it is in get no answer, and nobody gets more than a few',
    async () => {
      assert.equal(await answersTo(house, '127.0.0.1', 3), 0);
      assert.equal(await answersTo(house, '192.168.77.1', 1), 5);
      const many = await answersTo(house, '192.168.77.1', 300);
      assert.ok(many > 5 && many < 300, `${many} answers to 300 questions about five things each`);
    },
  );

  await t.test('the doctor finds it', async () => {
    const doctor = ['-c', '"$@"; true', 'bash', process.execPath, MAIN, 'doctor'];
    const said = await house.run('bash', doctor, { env: settings(door.url) });
    assert.match(said, /"House Radio" answers at port 8706/);
    assert.match(said, /found on lan0 +searches there are answered/);
  });

  await t.test('VLC opens a folder and plays what is in it', async () => {
    const { said, seconds } = await vlc(house, 'upnp://192.168.77.1:8706/content/control?ObjectID=presets');
    assert.match(said, /\/harbourfolk-128\.mp3/);
    assert.ok(seconds >= 2, `${seconds} s of sound: ${said.slice(-2000)}`);
  });

  await t.test('MPD has it as its music, searches and plays', async () => {
    const upnp = ['database {', 'plugin "upnp"', 'interface "lan0"', '}'];
    const mpc = await startMpd(house, upnp);
    const linesOf = async (...args: string[]): Promise<string[]> => (await mpc(...args)).trim().split('\n');
    await waitUntil('it is found', async () => (await linesOf('ls')).includes('House Radio') || undefined);
    const folders = await linesOf('ls', 'House Radio');
    assert.ok(folders.includes('House Radio/My Presets'), folders.join('; '));
    assert.deepEqual(await linesOf('-f', '%title%', 'ls', 'House Radio/My Presets'), [
      'Harbour Folk',
      'Town FM 97.9',
    ]);
    const found = await linesOf('-f', '%title%', 'search', 'title', 'folk');
    assert.ok(found.includes('Harbour Folk'), found.join('; '));
    const [file = ''] = await linesOf('-f', '%file%', 'search', 'title', 'harbour folk');
    await mpc('add', file);
    await mpc('play');
    await waitUntil(
      'two seconds of it',
      async () => /playing\].* 0:0[2-9]\//.test(await mpc('status')) || undefined,
    );
    await mpc('stop');
  });

  await t.test('Kodi opens folders and plays', async () => {
    const call = await startKodiWithUpnp(house);
    const listOf = async (id: string): Promise<string[]> => {
      const { files = [] } = await call('Files.GetDirectory', {
        directory: `upnp://${UUID}/${id}`,
        media: 'music',
      });
      return files.map(({ label }) => label);
    };
    const root = await waitUntil(
      'it is found',
      async () => {
        const labels = await listOf('');
        return labels.length > 0 ? labels : undefined;
      },
      90_000,
    );
    assert.ok(root.includes('My Presets') && root.includes('Music'), root.join('; '));
    assert.deepEqual(await listOf('presets/'), ['Harbour Folk', 'Town FM 97.9']);
    await call('Player.Open', {
      item: { file: `upnp://${UUID}/presets.s1/` },
      // Its player for music waits for a sound card.
      options: { playername: 'VideoPlayer' },
    });
    await waitUntil('it plays', async () => ((await secondsPlayed(call)) >= 2 ? true : undefined), 60_000);
  });

  await t.test('it says good-bye', async () => {
    const later = house.start('gssdp-discover', ['-i', 'lan0', '-m', 'all', '-t', MEDIA_SERVER]);
    await waitUntil('found', async () => later.said().includes('resource available') || undefined);
    await house.run('bash', ['-c', 'kill -TERM $(pgrep -f "[s]rc/main.ts upnp")']);
    await waitUntil('gone', async () => later.said().includes('resource unavailable') || undefined);
    await waitUntil('ended', async () => server.hasEnded() || undefined);
    assert.doesNotMatch(server.said(), /failed unexpectedly|"level":(?:50|60)/);
  });
});

const answersTo = async (house: House, address: string, count: number): Promise<number> =>
  Number(await house.run(process.execPath, [SSDP_ASK, address, String(count)]));

const find = (house: House, target: string): Promise<string> =>
  house.run('gssdp-discover', ['-i', 'lan0', '-n', '4', '-t', target]);

const settings = (databaseUrl: string): NodeJS.ProcessEnv => ({
  DATABASE_URL: databaseUrl,
  UPNP: 'on',
  UPNP_NAME: 'House Radio',
  UPNP_UUID: UUID,
  UPNP_ACCOUNT: 'ann',
  UPNP_PRIVATE_PORT: '0',
});

async function secondsPlayed(call: KodiCall): Promise<number> {
  const { time } = await call('Player.GetProperties', { playerid: 0, properties: ['time'] });
  return time ? time.hours * 3600 + time.minutes * 60 + time.seconds : 0;
}

async function vlc(house: House, address: string): Promise<{ said: string; seconds: number }> {
  const recording = join(house.folder, 'vlc-upnp.wav');
  const sound = ['--no-video', '--aout=afile', `--audiofile-file=${recording}`, '--audiofile-format=s16'];
  const play = ['--miface=lan0', '--run-time=4', '--play-and-exit', '-vv', address, 'vlc://quit'];
  const said = await house.run('bash', ['-c', 'cvlc "$@" 2>&1', 'vlc', '-I', 'dummy', ...sound, ...play], {
    asNobody: true,
  });
  return { said, seconds: audibleSeconds(recording) };
}
