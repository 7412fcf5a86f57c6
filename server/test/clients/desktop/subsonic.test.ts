import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { addAppPassword } from '../../../src/core/accounts/app-passwords/app-passwords.ts';
import { requireSameKey } from '../../../src/core/accounts/key-state.ts';
import { memberKeys } from '../../../src/core/accounts/keys.ts';
import { refreshSearch } from '../../../src/storage/catalog/search/refresh-search.ts';
import { addApps, ANN, feedOf } from '../../apps/apps-app.ts';
import { MEMBER_KEY } from '../../apps/account-app.ts';
import { DIRECTORY, serveHouse } from '../../house/served-house.ts';
import { playInStrawberry } from './strawberry.ts';
import { waitFor } from '../../time/wait-until.ts';

const ORIGIN = `http://${DIRECTORY}`;
const DRIVER = join(import.meta.dirname, 'drive-subsonic.ts');

test('programs for Subsonic use this directory', async (t) => {
  let password = '';
  await using served = await serveHouse(
    async (pool) => {
      await addApps(pool);
      await refreshSearch(pool);
      const keys = memberKeys(MEMBER_KEY);
      await requireSameKey(pool, keys);
      password = (await addAppPassword(pool, keys, { accountId: ANN, app: 'Strawberry' }))?.password ?? '';
    },
    { env: { MEMBER_KEY, LEGACY_CREDENTIALS: 'allow' } },
  );
  const { house } = served;

  await t.test('subsonic-api of npm signs in by token and key, lists, searches and saves', async () => {
    const args = [DRIVER, ORIGIN, 'ann', password, feedOf(102)];
    const seen = JSON.parse(await house.run(process.execPath, args));
    assert.ok(seen.found.length > 0, 'nothing was found');
    assert.ok(seen.podcasts[0].first.startsWith('t'));
    assert.deepEqual(seen, {
      pings: ['ok', 'ok', 40],
      before: [
        { id: 's1', name: 'Harbour Folk', streamUrl: `${ORIGIN}/play/s1.mp3` },
        { id: `u${3 * 1024 + 7}`, name: 'My stream', streamUrl: 'http://stream.example.net/mine?x=1' },
      ],
      added: 3,
      podcasts: [
        { id: 'p101', title: 'Evening 1', episodes: 60, first: seen.podcasts[0].first },
        { id: 'p102', title: 'Evening 2', episodes: 0 },
      ],
      found: seen.found,
      cover: [200, 'image/png'],
      playlists: ['General', 'Küche & Bad', 'Empty one'],
    });
  });

  await t.test('Strawberry plays a station, by a token', async () => {
    const folder = join(house.folder, 'sounds');
    mkdirSync(folder);
    const file = join(folder, 'harbourfolk-128.mp3');
    await house.run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'sine=frequency=440:duration=8', file]);
    const server = join(import.meta.dirname, '../players/serve-sounds.ts');
    const sounds = house.start(process.execPath, [server, folder, '127.0.0.2']);
    await waitFor(sounds, 'the station', async () => sounds.said().includes('"serving"') || undefined);
    // GLib resolves no names while a machine has no address but 127.0.0.1.
    await house.run('ip', ['address', 'add', '192.0.2.7/32', 'dev', 'lo']);
    const strawberry = await playInStrawberry(house, { server: ORIGIN, username: 'ann', password }, 's1');
    await waitFor(
      strawberry,
      'a call for the stream',
      async () => /"\/harbourfolk-128\.mp3"/.exec(sounds.said())?.[0],
    );
  });
});
