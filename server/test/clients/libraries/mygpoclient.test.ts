import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { addAppPassword } from '../../../src/core/accounts/app-passwords/app-passwords.ts';
import { requireSameKey } from '../../../src/core/accounts/key-state.ts';
import { memberKeys } from '../../../src/core/accounts/keys.ts';
import { refreshSearch } from '../../../src/storage/catalog/search/refresh-search.ts';
import { MEMBER_KEY } from '../../apps/account-app.ts';
import { addApps, ANN, feedOf } from '../../apps/apps-app.ts';
import { seededDatabase } from '../../database/database.ts';
import { startService } from '../../processes/service-process.ts';

const DRIVER = join(import.meta.dirname, 'drive-mygpoclient.py');
const ELSEWHERE = 'https://elsewhere.example.org/feed?a=1&b=2';

test('mygpoclient, the library of gPodder, keeps two phones and a computer alike', async () => {
  await using database = await seededDatabase();
  const { pool } = database;
  await addApps(pool);
  await refreshSearch(pool);
  const keys = memberKeys(MEMBER_KEY);
  await requireSameKey(pool, keys);
  const { password = '' } = (await addAppPassword(pool, keys, { accountId: ANN, app: 'gPodder' })) ?? {};
  await using service = await startService(database.url, { MEMBER_KEY, LEGACY_CREDENTIALS: 'allow' });
  const args = ['-B', DRIVER, service.origin, 'ann', password, feedOf(102)];
  const { stdout } = await promisify(execFile)('/usr/bin/python3', args, { timeout: 120_000 });
  const { since, ...seen } = JSON.parse(stdout);
  assert.equal(since[0], since[1]);
  assert.deepEqual(seen, {
    described: true,
    first: [feedOf(101)],
    spelled: [[` ${feedOf(102)}`, feedOf(102)]],
    pulled: [[ELSEWHERE, feedOf(102)], []],
    later: [[], [ELSEWHERE]],
    actions: [
      {
        podcast: feedOf(102),
        episode: 'https://feeds.example.net/1.mp3',
        action: 'play',
        device: 'phone',
        timestamp: '2026-04-02T10:00:00',
        started: 0,
        position: 61,
        total: 600,
      },
      {
        podcast: feedOf(102),
        episode: 'https://feeds.example.net/2.mp3',
        action: 'download',
        device: 'phone',
      },
    ],
    nothing: 0,
    devices: [
      ['phone', 'My phone', 'mobile', 2],
      ['tablet', '', 'other', 2],
    ],
    favorites: [],
    list: [feedOf(101), feedOf(102)],
    put: true,
    after: [ELSEWHERE],
    suggested: [feedOf(101), feedOf(102), feedOf(103)],
    top: ['Evening 1', 'Evening 2', 'Evening 3'],
    found: 12,
    tags: ['folk', 'news'],
    tagged: 4,
    data: 'Evening 2',
    wrong: 'unauthorized',
  });
  assert.ok(!service.log.some((line) => line.includes(password)), 'the password is in the log');
});
