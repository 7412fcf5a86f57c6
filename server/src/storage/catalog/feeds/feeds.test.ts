import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import { uuidOf } from '../../../lib/ids.ts';
import type { Claim } from '../claim-due.ts';
import { addFeeds, claimFeeds, finishFeeds, moveFeed } from './feeds.ts';
import { addShow } from '../../../../test/database/catalogue/add-show.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  await database.pool.query('TRUNCATE feeds, shows CASCADE');
});

async function feedOn(host: string, path: string): Promise<number> {
  const address = `https://${host}/${path}`;
  const id = await addShow(database.pool, { title: path, feed: { address, key: uuidOf(address) } });
  assert.ok(id);
  await addFeeds(database.pool, [id]);
  return id;
}

const claim = (more: Partial<Claim> = {}) =>
  claimFeeds(database.pool, { most: 10, leaseSeconds: 60, busy: new Map(), mostPerHost: 2, ...more });

test('what is claimed is nobody else’s until its lease is over', async () => {
  const id = await feedOn('a.example.net', '1');
  const [claimed] = await claim();
  assert.deepEqual(
    [claimed?.show_id, claimed?.address, claimed?.host],
    [id, 'https://a.example.net/1', 'a.example.net'],
  );
  assert.deepEqual(await claim(), []);
  await database.pool.query("UPDATE feeds SET next_due_at = next_due_at - interval '61 seconds'");
  assert.equal((await claim()).length, 1);
});

test('many who claim at once share what is due, and no feed is given twice', async () => {
  for (let n = 0; n < 120; n += 1) await feedOn(`h${n}.example.net`, 'f');
  const ids: number[] = [];
  // What one claim looks at and leaves is passed over by the others, until it ends.
  for (let round = 0; round < 20 && ids.length < 120; round += 1) {
    const shares = await Promise.all(Array.from({ length: 8 }, () => claim({ most: 20 })));
    ids.push(...shares.flat().map(({ show_id }) => show_id));
  }
  assert.equal(ids.length, 120);
  assert.equal(new Set(ids).size, 120);
});

test('a host with hundreds of feeds gets its two, and the others do not wait behind it', async () => {
  for (let n = 0; n < 30; n += 1) await feedOn('large.example.net', String(n));
  const small = await feedOn('small.example.net', '1');
  const first = await claim({ most: 8 });
  assert.deepEqual(first.map(({ host }) => host ?? '').toSorted(), [
    'large.example.net',
    'large.example.net',
    'small.example.net',
  ]);
  assert.ok(first.some(({ show_id }) => show_id === small));
  const later = async (): Promise<number[]> => {
    const { rows } = await database.pool.query<{ ms: number }>(
      'SELECT (extract(epoch FROM next_due_at - now()) * 1000)::int4 AS ms FROM feeds WHERE put_off > 0 ORDER BY 1',
    );
    return rows.map(({ ms }) => ms);
  };
  const once = await later();
  assert.equal(once.length, 28);
  assert.ok((once[0] ?? 0) > 4000 && (once.at(-1) ?? 0) < 6000, 'put off for seconds');
  await database.pool.query('UPDATE feeds SET next_due_at = now() WHERE put_off > 0');
  assert.equal((await claim({ most: 8 })).length, 2);
  assert.ok(((await later()).at(-1) ?? 0) > 9000, 'and twice as long the next time');
});

test('what was put off comes before its time when there is room for its host, and once', async () => {
  for (let n = 0; n < 30; n += 1) await feedOn('large.example.net', String(n));
  const ids = (await claim()).map(({ show_id }) => show_id);
  assert.deepEqual(await claim(), [], 'without room for the host nothing is due');
  for (let inHand = 2; ids.length < 30; inHand = 1) {
    const busy = new Map([['large.example.net', inHand]]);
    const shares = await Promise.all([claim({ busy }), claim({ busy }), claim({ busy })]);
    assert.ok(shares.every((share) => share.length <= 2 - inHand));
    ids.push(...shares.flat().map(({ show_id }) => show_id));
  }
  assert.equal(new Set(ids).size, 30);
});

test('half of a claim is for those who waited, and half for others', async () => {
  for (let host = 0; host < 10; host += 1)
    for (let n = 0; n < 3; n += 1) await feedOn(`large-${host}.example.net`, String(n));
  await claim({ most: 100 });
  for (let n = 0; n < 10; n += 1) await feedOn(`small-${n}.example.net`, '1');
  const busy = new Map(Array.from({ length: 10 }, (_, host) => [`large-${host}.example.net`, 0]));
  const claimed = await claim({ most: 8, busy });
  const waited = claimed.filter(({ host }) => host?.startsWith('large'));
  assert.deepEqual([claimed.length, waited.length], [8, 4]);
});

test('what the caller asks of a host already counts', async () => {
  for (let n = 0; n < 3; n += 1) await feedOn('b.example.net', String(n));
  assert.equal((await claim({ busy: new Map([['b.example.net', 1]]) })).length, 1);
});

test('a feed that is gone is asked no more; how a reading went is kept', async () => {
  const ids = [await feedOn('c.example.net', '1'), await feedOn('d.example.net', '1')];
  await claim();
  const [kept = 0, gone = 0] = ids;
  const outcome = { claimedAt: Temporal.Now.instant(), dueInSeconds: -1, intervalSeconds: 900 };
  await finishFeeds(database.pool, [
    { ...outcome, showId: kept, failures: 0, etag: '"1"', lastModified: 'Mon' },
    { ...outcome, showId: gone, failures: 3, trouble: 'the server answers 410', isGone: true },
  ]);
  const claimed = await claim();
  assert.deepEqual(
    claimed.map(({ show_id, etag, last_modified, interval_seconds, failures }) => [
      show_id,
      etag,
      last_modified,
      interval_seconds,
      failures,
    ]),
    [[kept, '"1"', 'Mon', 900, 0]],
  );
});

test('a feed that moves is read there, unless another show has that feed', async () => {
  const [one, other] = [await feedOn('e.example.net', '1'), await feedOn('f.example.net', '1')];
  const to = { address: 'https://g.example.net/1', key: uuidOf('https://g.example.net/1') };
  assert.equal(await moveFeed(database.pool, one, to), true);
  assert.equal(await moveFeed(database.pool, other, to), false);
  const claimed = await claim();
  assert.deepEqual(claimed.map(({ host }) => host ?? '').toSorted(), ['f.example.net', 'g.example.net']);
});
