import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { type TestDatabase, testDatabase } from '../../../test/database/database.ts';
import { disc, svg } from '../../../test/content/picture-samples.ts';
import { systemClock } from '../../lib/clock.ts';
import { createLog } from '../../lib/log.ts';
import { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { findPicture } from '../../storage/catalog/images/pictures.ts';
import { DueLoop, JobMetrics } from '../runner/due-job.ts';
import { pictureDueAfterFailure, pictureJob } from './picture-job.ts';
import { ImageWorker } from './resize/image-worker.ts';

/** 127.0.0.2 plays the internet. */
const INTERNET = '127.0.0.2';
const policy = {
  resolve: async () => [INTERNET],
  isAllowed: (ip: string) => ip === INTERNET,
  connectMs: 2000,
};

let database: TestDatabase;
let imageWorker: ImageWorker;
let answer: RequestListener;
let logo: Buffer;
const asked: string[] = [];
const host = createServer((request, response) => {
  asked.push(request.headers['if-none-match'] ?? '');
  answer(request, response);
}).listen(0, INTERNET);
let port = 0;

before(async () => {
  database = await testDatabase();
  imageWorker = new ImageWorker();
  logo = await disc(300).png().toBuffer();
  if (!host.listening) await once(host, 'listening');
  const address = host.address();
  assert.ok(typeof address === 'object' && address);
  ({ port } = address);
});
after(async () => {
  host.close();
  await imageWorker[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  asked.length = 0;
  await database.pool.query('TRUNCATE images, pictures CASCADE');
});

const add = (id: number, path: string) =>
  database.pool.query('INSERT INTO images (kind, item_id, address) VALUES ($1, $2, $3)', [
    's',
    id,
    `http://logos.radio-haven.net:${port}${path}`,
  ]);
const check = async (id: number) =>
  (
    await database.pool.query(
      `SELECT failures, trouble, etag, digest, round(extract(epoch FROM next_due_at - now()) / 3600)::integer AS hours
       FROM image_checks WHERE item_id = $1`,
      [id],
    )
  ).rows[0];

/** Lets the job do so many looks, and gives what it counts. */
async function work(looks: number): Promise<string> {
  const registry = new Registry();
  const deps = {
    pool: database.pool,
    fetcher: new SafeFetcher({ policy }),
    imageWorker,
    clock: systemClock,
    chance: () => 0.5,
  };
  const around = { log: createLog({ level: 'silent' }), metrics: new JobMetrics(registry) };
  const deadline = performance.now() + 20_000;
  const start = asked.length;
  {
    await using loop = new DueLoop(pictureJob(deps), around);
    void loop;
    while (asked.length - start < looks && performance.now() < deadline) await sleep(10);
  }
  return (await registry.metrics()).match(/jobs_total\{[^}]*\} \d+/g)?.join('\n') ?? '';
}

test('a logo is fetched, made and kept; a month later it is asked for by its tag, and is the same', async () => {
  answer = ({ headers }, response) =>
    headers['if-none-match'] === '"v1"'
      ? response.writeHead(304).end()
      : response.writeHead(200, { etag: '"v1"', 'content-type': 'text/plain' }).end(logo);
  await add(1, '/one.png');
  assert.match(await work(1), /outcome="new"\} 1/);
  const first = await check(1);
  assert.deepEqual(
    { ...first, digest: '' },
    { failures: 0, trouble: null, etag: '"v1"', digest: '', hours: 720 },
  );
  const file = await findPicture(database.pool, { letter: 's', number: 1 }, 'q', 'jpg');
  assert.equal(file?.bytes.subarray(0, 3).toString('hex'), 'ffd8ff');
  await database.pool.query('UPDATE image_checks SET next_due_at = now()');
  assert.match(await work(1), /outcome="unchanged"\} 1/);
  assert.deepEqual(asked, ['', '"v1"']);
  assert.deepEqual(await check(1), first);
});

test('the same bytes at two addresses are kept once', async () => {
  answer = (_request, response) => response.end(logo);
  await add(1, '/one.png');
  await work(1);
  await add(2, '/two.png');
  assert.match(await work(1), /outcome="known"\} 1/);
  const { rows } = await database.pool.query('SELECT count(*)::integer FROM picture_sizes');
  assert.deepEqual(rows, [{ count: 8 }]);
  assert.equal((await check(1)).digest, (await check(2)).digest);
});

test('what is no picture is refused with the reason, and asked for again in a week', async () => {
  answer = (_request, response) => response.end(svg('<image href="http://10.0.0.1/x.png"/>'));
  await add(1, '/logo.svg');
  assert.match(await work(1), /outcome="refused"\} 1/);
  const { trouble, hours, digest } = await check(1);
  assert.deepEqual(
    [trouble, hours, digest],
    ['the SVG refers to external files; embed them and save it again', 168, null],
  );
});

test('a server in trouble is asked again later and later, and the picture that is shown stays', async () => {
  answer = (_request, response) => response.end(logo);
  await add(1, '/one.png');
  await work(1);
  const { digest } = await check(1);
  answer = (_request, response) => response.writeHead(503, { 'retry-after': '7200' }).end();
  for (const hours of [2, 2, 4]) {
    await database.pool.query('UPDATE image_checks SET next_due_at = now()');
    await work(1);
    assert.deepEqual([(await check(1)).hours, (await check(1)).digest], [hours, digest]);
  }
  assert.equal((await check(1)).trouble, 'the server answers 503');
});

test('a server is not asked before it wants, however the looks are spread', () => {
  for (const chance of [0, 0.3, 1]) assert.ok(pictureDueAfterFailure(1, 7200, chance) >= 7200);
  assert.equal(pictureDueAfterFailure(1, 31_536_000, 0), 30 * 86_400);
  assert.equal(pictureDueAfterFailure(1, 0, 0), 3240);
});

test('"unchanged" to who asked for the whole picture is no answer', async () => {
  answer = (_request, response) => response.end(logo);
  await add(1, '/one.png');
  await work(1);
  const { digest } = await check(1);
  answer = (_request, response) => response.writeHead(304).end();
  await database.pool.query("UPDATE images SET address = address || '?v=2'");
  assert.match(await work(1), /outcome="failed"\} 1/);
  const { trouble, hours, digest: shown } = await check(1);
  assert.deepEqual([trouble, hours, shown], ['the server answers 304', 1, digest]);
});

test('two megabytes are enough', async () => {
  answer = (_request, response) => response.end(Buffer.concat([logo, Buffer.alloc(2 * 2 ** 20)]));
  await add(1, '/large.png');
  await work(1);
  assert.match((await check(1)).trouble, /larger than 2097152 bytes/);
});

test('a resize process that cannot start says nothing of the picture', async () => {
  answer = (_request, response) => response.end(logo);
  await add(1, '/one.png');
  const sound = imageWorker;
  imageWorker = Object.assign(new ImageWorker(), { resize: () => Promise.reject(new Error('not here')) });
  assert.match(await work(1), /outcome="failed"\} 1|^$/);
  imageWorker = sound;
  assert.deepEqual((await check(1)).trouble, null);
  assert.equal((await check(1)).failures, 0);
});
