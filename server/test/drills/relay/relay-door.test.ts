import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { openRelayKeys } from '../../../src/app/open-relay-links.ts';
import { RelayKeys } from '../../../src/core/streams/relay/relay-address.ts';
import { findStreamToRelay } from '../../../src/storage/catalog/streams/relayed-stream.ts';
import { OUTSIDE } from '../../internet/canary-host.ts';
import { seededDatabase } from '../../database/database.ts';
import { inOwnInternet } from '../../internet/own-internet.ts';
import type { Flooded } from '../../relay/flooded.ts';
import { Radio, until } from '../../relay/radio.ts';
import { broadcast, OK, openTestRelay, relayKeys, type TestRelay } from '../../relay/test-relay.ts';
import type { RelayDoorReport } from './relay-door-tries.ts';

/** The long form: `RELAY_FLOOD_SECONDS=60 node scripts/test.ts server/test/drills/relay/relay-door.test.ts`. */
const FLOOD_SECONDS = Number(process.env['RELAY_FLOOD_SECONDS'] ?? 4);
const MAX_SILENCE_MS = 8000;
const HOUR_MS = 3_600_000;

const pathOf = (keys: RelayKeys, streamId: number, who = 'radio', untilMs = Date.now() + HOUR_MS): string =>
  keys.sign({ streamId, variant: 'c', who: keys.whoOf(who), format: 'mp3' }, untilMs);

/** The status of an answer, and whether the station was called for it. */
async function statusOf(relay: TestRelay, path: string, from?: string): Promise<string> {
  using radio = new Radio(relay.port, path, from === undefined ? {} : { from });
  await Promise.race([radio.ended, until('an answer', () => radio.head !== '' || radio.isClosed)]);
  return /^HTTP\/1\.0 (\d+)/.exec(radio.head)?.[1] ?? 'none';
}

const play = (relay: TestRelay) =>
  relay.studio((socket): void => {
    socket.write(OK);
    broadcast(socket, 1);
  });

describe('a relay is no open door', () => {
  test('an address with any character changed, left out or cut off opens nothing', async () => {
    await using relay = await openTestRelay();
    const studio = await play(relay);
    const good = pathOf(relayKeys, studio.id);
    assert.equal(await statusOf(relay, good), '200');
    const calls = studio.heads.length;
    const signed = good.length - '.mp3'.length;
    const forged = new Set<string>();
    for (let at = 0; at < signed; at += 1) {
      const other = good[at] === 'x' ? 'y' : 'x';
      forged.add(good.slice(0, at) + other + good.slice(at + 1));
      forged.add(good.slice(0, at) + good.slice(at + 1));
      forged.add(good.slice(0, at));
    }
    forged.add(good.replace('.c.', '.m128.')).add(good.replace('.mp3', '')).add(`${good}/http://127.0.0.1/`);
    forged.delete(good);
    const opened: string[] = [];
    for (const path of forged)
      if ((await statusOf(relay, path === '' ? '/' : path)) !== '404') opened.push(path);
    assert.deepEqual(opened, []);
    assert.ok(forged.size > 100);
    assert.equal(studio.heads.length, calls, 'the station was not called');
  });

  test('another extension is the same stream, an expired one is told so, and one that is passed on is for two at a time', async () => {
    await using relay = await openTestRelay();
    const studio = await play(relay);
    const good = pathOf(relayKeys, studio.id);
    assert.equal(await statusOf(relay, good.replace('.mp3', '.aac')), '200');
    assert.equal(await statusOf(relay, pathOf(relayKeys, studio.id, 'radio', Date.now() - 120_000)), '410');
    const radios = ['127.0.0.2', '127.0.0.3'].map((from) => new Radio(relay.port, good, { from }));
    await until('two listen', () => radios.every(({ bytes }) => bytes > 0));
    assert.equal(await statusOf(relay, good, '127.0.0.4'), '503');
    for (const radio of radios) radio.socket.destroy();
  });

  test('a key that is replaced is good as long as it is named, and then no more', async () => {
    const [old, next] = [
      'the key of last year, thirty-two of them',
      'the key of this year, thirty-two of them',
    ];
    const settings = {
      relay: 'home',
      relayKey: next,
      relayKeyOld: old,
      memberKey: undefined,
      memberKeyOld: undefined,
    } as const;
    for (const [relayKeyOld, status] of [
      [old, '200'],
      [undefined, '404'],
    ] as const) {
      const keys = openRelayKeys({ ...settings, relayKeyOld }) ?? assert.fail();
      await using relay = await openTestRelay({ keys });
      const studio = await play(relay);
      assert.equal(await statusOf(relay, pathOf(new RelayKeys(old), studio.id)), status);
      assert.equal(await statusOf(relay, pathOf(keys, studio.id)), '200');
    }
  });

  test('a stolen key opens nothing that the directory does not show', async () => {
    await using database = await seededDatabase();
    const asked: string[] = [];
    await using relay = await openTestRelay({
      findStream: async (id) => {
        const found = await findStreamToRelay(database.pool, id);
        if (found) asked.push(found.address);
        return undefined;
      },
    });
    const { rows } = await database.pool.query<{ id: string; address: string }>(
      'SELECT s.id, s.address FROM streams s JOIN stations t ON t.id = s.station_id WHERE s.listed AND t.listed ORDER BY s.id',
    );
    const [shown, hidden] = [rows[0], rows.at(-1)];
    await database.pool.query(
      'UPDATE stations SET listed = false WHERE id = (SELECT station_id FROM streams WHERE id = $1)',
      [hidden?.id],
    );
    const others = [0, 1e9, 2 ** 31, Number.parseInt('z'.repeat(11), 36), Number(hidden?.id)];
    for (const id of others)
      assert.equal(await statusOf(relay, pathOf(relayKeys, id)), '404', `stream ${id}`);
    assert.deepEqual(asked, [], 'none of them is in the directory');
    await statusOf(relay, pathOf(relayKeys, Number(shown?.id)));
    assert.deepEqual(asked, [shown?.address], 'the control');
  });

  test(`${FLOOD_SECONDS} seconds of bad signatures: who listens hears on, and nothing is kept`, async (t) => {
    const program = join(import.meta.dirname, '../../relay/flooded.ts');
    const args = ['--expose-gc', program, `${FLOOD_SECONDS}`];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const { answers, aSecond, longestSilenceMs, grown, calls }: Flooded = JSON.parse(stdout);
    t.diagnostic(
      `${Math.round(aSecond)} a second, longest silence ${longestSilenceMs.toFixed(0)} ms, ${grown.toFixed(1)} MiB more`,
    );
    const { 404: refused = 0, unanswered, ...others } = answers;
    assert.deepEqual([unanswered, others], [0, {}]);
    assert.ok(refused > 1000 * FLOOD_SECONDS, `${refused} calls`);
    assert.ok(longestSilenceMs < MAX_SILENCE_MS, `${longestSilenceMs} ms`);
    assert.ok(grown < 16, `${grown} MiB`);
    assert.equal(calls, 1);
  });
});

describe('no hostile address is reached by way of a relay', () => {
  let report: RelayDoorReport;
  before(async () => {
    // oxlint-disable-next-line no-unsafe-type-assertion -- written by the file beside this one
    report = (await inOwnInternet(
      join(import.meta.dirname, 'relay-door-tries.ts'),
      240_000,
    )) as RelayDoorReport;
  });

  test('as a stream, a redirect, in a playlist, as a quality, segment, map and key: not one connection inside', () => {
    assert.deepEqual(Object.keys(report.heard), [OUTSIDE]);
    for (const [way, outcomes] of Object.entries(report.outcomes)) {
      const tries = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
      assert.equal(tries, report.hostile, way);
    }
  });

  test('a radio is told that the station cannot be heard; a map that is no web address is left out', () => {
    for (const [way, { 502: told = 0, missed = 0, refused = 0, ...other }] of Object.entries(
      report.outcomes,
    )) {
      const left = Object.values(other).reduce((sum, count) => sum + count, 0);
      assert.equal(told + missed + refused + left, report.hostile);
      assert.ok(left <= (way.startsWith('as a map') ? 10 : 0), `${way}: ${JSON.stringify(other)}`);
    }
  });

  test('the control: the same ways lead to a good address', () => {
    for (const [way, { outcome, connections }] of Object.entries(report.good))
      if (way.includes('key')) assert.ok(connections >= 3, `${way}: the list, the segment and the key`);
      else assert.match(outcome, /^(?:200|heard)$/, way);
  });
});
