import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { HOST, type YpApp, ypApp } from '../../../test/apps/yp-app.ts';
import type { DirectoryStation } from '../../core/directory/snapshot/snapshot.ts';
import { addStationKey } from '../../storage/catalog/stations/station-keys.ts';

let app: YpApp;
before(async () => {
  app = await ypApp();
});
after(() => app?.[Symbol.asyncDispose]());

const STRANGER = '203.0.113.7';
const query = (text: string, params: unknown[] = []) => app.seeded.database.pool.query(text, params);

/** Announces the first stream of a station, and gives the SID. */
async function announceAs(from: string, station: DirectoryStation): Promise<string> {
  const listenurl = station.streams[0]?.address ?? '';
  const { sid } = await app.call({ action: 'add', sn: station.name, listenurl, b: '128' }, from);
  return sid;
}

/** What the host of a stream has announced, which nobody else may change. */
const hostsRow = async (): Promise<string> =>
  JSON.stringify((await query('SELECT a::text FROM announced_streams a WHERE network = $1', [HOST])).rows);

/** A caller: its SID, once the host of the station's stream has announced it and is proven. */
const CALLERS: Readonly<Record<string, (station: DirectoryStation, hostSid: string) => Promise<string>>> = {
  none: async () => '',
  guessed: async () => '0123456789abcdef'.repeat(2),
  injected: async () => "' OR true --",
  stranger: (station) => announceAs(STRANGER, station),
  'stranger by name': async (station) => {
    const sid = await announceAs(STRANGER, station);
    await query("UPDATE announced_streams SET heard_at = now(), proof = 'name' WHERE network = $1", [
      STRANGER,
    ]);
    return sid;
  },
  'host, not heard': async (_station, sid) => {
    await query('UPDATE announced_streams SET heard_at = NULL, proof = NULL');
    return sid;
  },
  'host, replaced': async (station, sid) => {
    await announceAs(HOST, station);
    return sid;
  },
  'host, expired': async (_station, sid) => {
    await query('UPDATE announced_streams SET expires_at = now()');
    return sid;
  },
  'host, with a key': async (station, sid) => {
    await addStationKey(app.seeded.database.pool, station.id, 'studio');
    return sid;
  },
  host: async (_station, sid) => sid,
};

const EXPECTED = `
caller            touch  song  remove
none              no     -     no
guessed           no     -     no
injected          no     -     no
stranger          ok     -     ok
stranger by name  ok     -     ok
host, not heard   ok     -     ok
host, replaced    no     -     no
host, expired     no     -     ok
host, with a key  ok     -     ok
host              ok     told  ok
`;

test('who may touch and remove an announcement, and tell its song', async () => {
  const { stations } = app.seeded.directory.current();
  const lines = ['caller            touch  song  remove'];
  for (const [index, [name, become]] of Object.entries(CALLERS).entries()) {
    await query('TRUNCATE announced_streams');
    app.clock.advance({ hours: 1 });
    const station = stations[index];
    assert.ok(station);
    const hostSid = await announceAs(HOST, station);
    await query("UPDATE announced_streams SET heard_at = now(), proof = 'host' WHERE network = $1", [HOST]);
    const sid = await become(station, hostSid);
    const state = await hostsRow();
    const touched = await app.call({ action: 'touch', sid, st: 'The Duo - First Light' }, STRANGER);
    const song = app.board.songOf(station.id) ? 'told' : '-';
    const removed = await app.call({ action: 'remove', sid }, STRANGER);
    const [touch, remove] = [touched, removed].map(({ isOk }) => (isOk ? 'ok' : 'no'));
    lines.push(`${name.padEnd(18)}${(touch ?? '').padEnd(7)}${song.padEnd(6)}${remove}`);
    if (!name.startsWith('host')) assert.equal(await hostsRow(), state, `${name} changed what is the host's`);
  }
  assert.equal(`\n${lines.join('\n')}\n`, EXPECTED);
});
