import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Pool } from 'pg';
import type { House } from '../../house/house.ts';
import { startIcecast } from '../../house/icecast.ts';
import { DIRECTORY, serveHouse } from '../../house/served-house.ts';
import { waitFor } from '../../time/wait-until.ts';

const MAIN = join(import.meta.dirname, '../../../src/main.ts');
const MODEL = join(import.meta.dirname, '../../devices/soundtouch.ts');
const ROWS = join(import.meta.dirname, '../../seed/beside-stations.sql');
const ORIGIN = `http://${DIRECTORY}`;
/** Speakers in the house, and where there is none. */
const [KITCHEN, RESET, NOBODY] = ['192.168.1.31', '192.168.1.32', '192.168.1.33'];

/** Ann's presets, of which those that are no stations of here are left out: two, an address, a show, one that is gone. */
async function fill(pool: Pool): Promise<void> {
  await pool.query(readFileSync(ROWS, 'utf8'));
  await pool.query(`INSERT INTO presets (account_id, id, folder_id, position, kind, item_id)
    VALUES (7, 9 * 1024 + 7, 1024 + 7, 9, 's', 2)`);
}

async function startSpeaker(house: House, host: string, ...sources: string[]): Promise<void> {
  const speaker = house.start(process.execPath, [MODEL, ORIGIN, host, ...sources]);
  await waitFor(speaker, 'the speaker', async () => speaker.said().includes('open') || undefined);
}

test('a SoundTouch gets an account’s stations on its buttons, and plays them without a cloud', async (t) => {
  await using served = await serveHouse(fill, { house: { isInternet: true } });
  const { house, databaseUrl: DATABASE_URL } = served;
  await startIcecast(house);
  await startSpeaker(house, KITCHEN);
  await startSpeaker(house, RESET, 'AUX');
  const longwave = (...args: string[]): Promise<string> =>
    house.run(process.execPath, [MAIN, 'speaker', 'presets', ...args], { env: { DATABASE_URL } });
  const curl = (path: string): Promise<string> =>
    house.run('curl', ['-sS', '-m', '20', `http://${KITCHEN}:8090${path}`]);

  await t.test('the buttons', async () => {
    const said = await longwave(KITCHEN, '--account', 'ann', '--directory', ORIGIN);
    assert.match(said, /^Kitchen has on its buttons:\n {2}1 {2}Harbour Folk\n {2}2 {2}\S/);
    const presets = await curl('/presets');
    assert.ok(presets.includes(`location="${ORIGIN}/bmx/station/s1"`), presets);
    assert.equal(presets.match(/<preset /g)?.length, 2);
  });

  await t.test('pressed, the first plays', async () => {
    const heard = await curl('/press?1');
    assert.match(
      heard,
      /"name":"Harbour Folk","address":"http:\/\/stream\.example\.net\/harbourfolk-128\.mp3"/,
    );
    const { format, bytes } = JSON.parse(heard);
    assert.equal(format, 'mp3');
    assert.ok(bytes > 4000, heard);
  });

  const REFUSED: [why: string, args: string[], words: RegExp][] = [
    [
      'a speaker that was reset',
      [RESET, '--account', 'ann', '--directory', ORIGIN],
      /LOCAL_INTERNET_RADIO.*docs\/soundtouch\.md/,
    ],
    [
      'a speaker that is silent',
      [NOBODY, '--account', 'ann', '--directory', ORIGIN],
      /does not answer\. Is the speaker on/,
    ],
    [
      'an address of the internet',
      ['93.184.216.40', '--account', 'ann', '--directory', ORIGIN],
      /private address of the house/,
    ],
    [
      'the machine itself',
      ['127.0.0.1', '--account', 'ann', '--directory', ORIGIN],
      /private address of the house/,
    ],
    [
      'the cloud’s own services',
      ['169.254.169.254', '--account', 'ann', '--directory', ORIGIN],
      /private address of the house/,
    ],
    [
      'a name that leads out',
      ['stream.example.net', '--account', 'ann', '--directory', ORIGIN],
      /private address of the house/,
    ],
    [
      'an address with more in it',
      ['192.168.1.31/x', '--account', 'ann', '--directory', ORIGIN],
      /no address of a speaker/,
    ],
    ['nobody’s presets', [KITCHEN, '--account', 'nobody', '--directory', ORIGIN], /no account nobody/],
    ['no directory', [KITCHEN, '--account', 'ann'], /--directory http/],
  ];
  for (const [why, args, words] of REFUSED)
    await t.test(`refused, with words: ${why}`, async () => {
      await assert.rejects(longwave(...args), words);
      assert.equal((await curl('/presets')).match(/<preset /g)?.length, 2, 'what is on the speaker stays');
    });
});
