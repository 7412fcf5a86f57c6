import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import { waitingForLock } from '../../../../test/database/waiting-for-lock.ts';
import { claimImages, finishImage } from './due-images.ts';
import { addPicture, findPicture, purgeUnusedPictures, isPictureKnown } from './pictures.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  await database.pool.query(
    `TRUNCATE images, pictures, stations CASCADE;
     INSERT INTO stations (id, name, name_key, popularity) VALUES (1, 'One', 'one', 10), (2, 'Two', 'two', 5000), (3, 'Three', 'three', 700);
     INSERT INTO images (kind, item_id, address)
     VALUES ('s', 1, 'http://one.example/1.png'), ('s', 2, 'http://two.example/2.png'), ('s', 3, 'http://two.example/3.png')`,
  );
});

const DIGEST = '00000000-0000-0000-0000-00000000000a';
const PICTURE = {
  digest: DIGEST,
  width: 9,
  height: 9,
  files: [{ size: 'q', kind: 'png', bytes: Buffer.from('picture') }],
} as const;
const claim = (most: number, mostPerHost = 2, busy = new Map<string, number>()) =>
  claimImages(database.pool, { most, leaseSeconds: 60, busy, mostPerHost });
const run = (sql: string) => database.pool.query(sql);
const done = { dueInSeconds: 3600, failures: 0, etag: '"a"', lastModified: 'then', digest: DIGEST };

test('a new address is due at once, what many listen to first, and for one worker alone', async () => {
  assert.deepEqual(
    (await claim(2)).map(({ item_id }) => item_id),
    [2, 3],
  );
  const [last] = await claim(2);
  assert.deepEqual(last, {
    kind: 's',
    item_id: 1,
    host: 'one.example',
    address: 'http://one.example/1.png',
    etag: null,
    last_modified: null,
    failures: 0,
    digest: null,
  });
  assert.deepEqual(await claim(2), []);
});

test('of a host no more are given than it may be asked, and the others are put off', async () => {
  const asked = (await run('SELECT now()::text AS at')).rows[0]?.at;
  assert.deepEqual(
    (await claim(9, 1)).map(({ item_id }) => item_id).toSorted((a, b) => a - b),
    [1, 2],
  );
  const later = `next_due_at >= '${asked}'::timestamptz + interval '0.1 s' AS is_later`;
  const { rows } = await run(`SELECT put_off, ${later} FROM image_checks WHERE item_id = 3`);
  assert.deepEqual(rows, [{ put_off: 1, is_later: true }]);
  await run("UPDATE image_checks SET next_due_at = now() - interval '1 s' WHERE item_id = 3");
  assert.deepEqual(await claim(9, 1, new Map([['two.example', 1]])), []);
});

test('what was found is written down, and shown; another address is due again and keeps its picture until then', async () => {
  const [due] = await claim(1);
  assert.ok(due);
  await addPicture(database.pool, PICTURE);
  await addPicture(database.pool, PICTURE);
  await finishImage(database.pool, due, done);
  const item = { letter: 's', number: 2 };
  assert.deepEqual(await findPicture(database.pool, item, 'q', 'png'), {
    digest: DIGEST,
    bytes: Buffer.from('picture'),
  });
  assert.equal(await findPicture(database.pool, item, 'g', 'png'), undefined);
  await run("UPDATE images SET address = 'http://new.example/' WHERE item_id = 2");
  const [again] = await claim(1);
  assert.deepEqual(
    [again?.item_id, again?.host, again?.etag, again?.digest],
    [2, 'new.example', null, DIGEST],
  );
  await finishImage(database.pool, due, { ...done, digest: undefined });
  const { rows } = await run('SELECT digest FROM image_checks WHERE item_id = 2');
  assert.deepEqual(rows, [{ digest: DIGEST }], 'what was asked of the old address is no news');
});

test('an address that changes while the old one is written down is looked at all the same', async () => {
  const [due] = await claim(1);
  assert.ok(due);
  await addPicture(database.pool, PICTURE);
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query("UPDATE images SET address = 'http://new.example/' WHERE item_id = 2");
    const finished = finishImage(database.pool, due, done);
    await waitingForLock(database.pool, 1, finished);
    await client.query('COMMIT');
    await finished;
  } finally {
    client.release();
  }
  const { rows } = await run(
    'SELECT etag, digest, next_due_at <= now() AS is_due FROM image_checks WHERE item_id = 2',
  );
  assert.deepEqual(rows, [{ etag: null, digest: null, is_due: true }]);
});

test('a picture that no item shows is forgotten after a day, one that is shown never', async () => {
  const [due] = await claim(1);
  assert.ok(due);
  const other = { ...PICTURE, digest: '00000000-0000-0000-0000-00000000000b' };
  for (const picture of [PICTURE, other]) await addPicture(database.pool, picture);
  await finishImage(database.pool, due, done);
  const { signal } = new AbortController();
  assert.equal(await purgeUnusedPictures(database.pool, signal), 0, 'it may be about to be shown');
  await run("UPDATE pictures SET made_at = now() - interval '2 days'");
  assert.equal(await purgeUnusedPictures(database.pool, signal), 1);
  assert.deepEqual(
    [await isPictureKnown(database.pool, DIGEST), await isPictureKnown(database.pool, other.digest)],
    [true, false],
  );
  await run('DELETE FROM images WHERE item_id = 2');
  assert.equal(await purgeUnusedPictures(database.pool, signal), 1);
  assert.deepEqual((await run('SELECT FROM picture_sizes')).rows, []);
});

test('a picture that comes to be shown again while it is forgotten stays, and the others are forgotten', async () => {
  const [due] = await claim(1);
  assert.ok(due);
  const other = { ...PICTURE, digest: '00000000-0000-0000-0000-00000000000b' };
  for (const picture of [PICTURE, other]) await addPicture(database.pool, picture);
  await run("UPDATE pictures SET made_at = now() - interval '2 days'");
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    await finishImage(client, due, done);
    const forgetting = purgeUnusedPictures(database.pool, new AbortController().signal);
    await Promise.race([setTimeout(300), forgetting]);
    await client.query('COMMIT');
    assert.equal(await forgetting, 1);
  } finally {
    client.release();
  }
  assert.deepEqual(
    [await isPictureKnown(database.pool, DIGEST), await isPictureKnown(database.pool, other.digest)],
    [true, false],
  );
});
