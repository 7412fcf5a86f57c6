import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import { StreamNews } from '../../../src/core/directory/live/keep-streams.ts';
import { Aliases } from '../../../src/core/directory/lookup/by-any-id.ts';
import { buildSnapshot } from '../../../src/core/directory/snapshot/build-snapshot.ts';
import { createLog } from '../../../src/lib/log.ts';
import { SafeFetcher } from '../../../src/net/fetch/fetch-safely.ts';
import { publicInternet } from '../../../src/net/fetch/policy.ts';
import { tune } from '../../../src/protocols/radiotime/tune/tune.ts';
import { scheduleStreams } from '../../../src/storage/catalog/streams/due-streams.ts';
import { probeJob } from '../../../src/workers/probe/probe.ts';
import { waitUntil } from '../../time/wait-until.ts';
import { testDatabase } from '../../database/database.ts';
import { testApp } from '../../apps/http-server.ts';
import { mp3Bytes } from '../../content/sound-bytes.ts';
import { ManualClock } from '../../time/manual-clock.ts';

/** `DAY_STREAMS=1000 DAY_STEPS=48 node scripts/test.ts server/test/drills/content/scripted-day.test.ts` */
const STREAMS = Number(process.env['DAY_STREAMS'] ?? 200);
const STEPS = Number(process.env['DAY_STEPS'] ?? 8);
const OF_STATION = 4;
const STEP_MINUTES = (24 * 60) / STEPS;
const STATIONS = Array.from({ length: STREAMS / OF_STATION }, (_none, index) => index + 1);

const SOUND = mp3Bytes(20_000);
type State = 'plays' | 'missing' | 'page' | 'cut' | 'forbidden' | 'full';
const ANSWERS: Readonly<Record<State, (response: ServerResponse) => unknown>> = {
  plays: (response) => response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(SOUND),
  missing: (response) => response.writeHead(404).end(),
  page: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Parked</title>'),
  cut: (response) => response.destroy(),
  forbidden: (response) => response.writeHead(403).end(),
  full: (response) => response.writeHead(503).end(),
};

/** The same numbers each run: who is up when, and what is wrong with the others. */
function stateOf(stream: number, step: number): State {
  const mix =
    Math.imul((stream * 2_654_435_761) ^ Math.imul(step >> (stream % 3), 40_503), 2_246_822_519) >>> 0;
  const share = mix / 2 ** 32;
  const failures: State[] = ['missing', 'page', 'cut', 'forbidden', 'full'];
  return share < 0.6 ? 'plays' : (failures[Math.floor((share - 0.6) * 12.5)] ?? 'missing');
}

/** What should come of it, worked out on its own: a share of the way to 100 or to 0, half forgotten in a fortnight. */
const MODEL: Readonly<Record<State, { goal: number; share: number; depth: number }>> = {
  plays: { goal: 100, share: 0.5, depth: 0 },
  missing: { goal: 0, share: 0.55, depth: 3 },
  page: { goal: 0, share: 0.55, depth: 3 },
  cut: { goal: 0, share: 0.55, depth: 3 },
  forbidden: { goal: 0, share: 0.275, depth: 2 },
  full: { goal: 0, share: 0.275, depth: 1 },
};
const KEPT_OF_A_STEP = Math.exp((-Math.LN2 * STEP_MINUTES) / (14 * 24 * 60));

class Model {
  readonly #values = new Map<number, number>();

  step(stream: number, step: number): void {
    const { goal, share } = MODEL[stateOf(stream, step)];
    const before = this.#values.get(stream);
    // What the source said is 50, and the first look comes at once.
    const faded = before === undefined ? 50 : 50 + (before - 50) * KEPT_OF_A_STEP;
    this.#values.set(stream, faded * (1 - share) + goal * share);
  }

  order(station: number, step: number): number[] {
    const key = (stream: number): [depth: number, value: number] => {
      const value = Math.round(this.#values.get(stream) ?? 50);
      return [Math.max(MODEL[stateOf(stream, step)].depth, value < 50 ? 1 : 0), -value];
    };
    return streamsOf(station).toSorted((a, b) => {
      const [one, other] = [key(a), key(b)];
      return one[0] - other[0] || one[1] - other[1] || a - b;
    });
  }
}

const streamsOf = (station: number): number[] =>
  Array.from({ length: OF_STATION }, (_none, index) => (station - 1) * OF_STATION + index + 1);

let step = 0;
const farm = createServer((request, response) =>
  ANSWERS[stateOf(Number(request.url?.slice(2)), step)](response),
).listen(0, '127.0.0.1');
await once(farm, 'listening');
const address = farm.address();
assert.ok(typeof address === 'object' && address);

const database = await testDatabase();
const { pool } = database;
const clock = new ManualClock(Temporal.Now.instant().toString());
const log = createLog({ level: 'silent' });
await pool.query(
  `INSERT INTO stations (id, name, name_key) SELECT n, 'Station ' || n, 'station ' || n FROM generate_series(1, ${STATIONS.length}) n`,
);
await pool.query(
  `INSERT INTO streams (id, station_id, address, address_key, format, bitrate)
   SELECT n, (n - 1) / ${OF_STATION} + 1, 'http://h' || n || '.radio-haven.net:${address.port}/e' || n, gen_random_uuid(), 'mp3', 128
   FROM generate_series(1, ${STREAMS}) n`,
);
await scheduleStreams(pool);
const snapshot = await buildSnapshot(pool);
const news = new StreamNews({
  db: pool,
  directory: { onSwap: () => () => undefined },
  clock,
  log,
  lookMs: 20,
});
after(async () => {
  await news[Symbol.asyncDispose]();
  farm.closeAllConnections();
  farm.close();
  await database[Symbol.asyncDispose]();
});

const policy = {
  ...publicInternet,
  resolve: async () => ['127.0.0.1'],
  isAllowed: (ip: string) => ip === '127.0.0.1',
};
const job = probeJob(
  { pool, fetcher: new SafeFetcher({ policy }), clock, log, chance: () => 0.5 },
  { concurrency: 50 },
);
const never = new AbortController().signal;

/** Listens to every stream once, as if all of them were due. */
async function listenToAll(): Promise<void> {
  await pool.query('UPDATE stream_checks SET next_due_at = now(), claimed_at = NULL');
  for (let done = 0; done < STREAMS;) {
    const due = await job.claim(100);
    const words = await Promise.all(due.map((row) => job.work(row, { stopping: never, cut: never })));
    done += words.filter((word) => word !== 'waits').length;
  }
}

const { app } = testApp([
  tune({
    directory: { current: () => snapshot },
    db: pool,
    aliases: new Aliases(pool),
    streamBoard: news.board,
  }),
]);

async function tunedOrder(station: number): Promise<number[]> {
  const { body } = await app.inject({ url: `/Tune.ashx?id=s${station}`, headers: { host: 'radio.test' } });
  return body
    .split('\n')
    .filter(Boolean)
    .map((line) => Number(/\/e(\d+)$/.exec(line)?.[1]));
}

test(`${STREAMS} streams fail and recover for a day: at every step Tune's order is the model's`, async () => {
  const model = new Model();
  let moves = 0;
  let before = '';
  for (step = 0; step < STEPS; step += 1) {
    clock.advance({ minutes: STEP_MINUTES });
    await listenToAll();
    for (const station of STATIONS) for (const stream of streamsOf(station)) model.step(stream, step);
    const expected = STATIONS.map((station) => model.order(station, step));
    await waitUntil(
      `the order of step ${step}`,
      async () => {
        const found = await Promise.all(STATIONS.map(tunedOrder));
        assert.deepEqual(found, expected);
        return true;
      },
      10_000,
    );
    moves += Number(before !== JSON.stringify(expected));
    before = JSON.stringify(expected);
  }
  assert.equal(moves, STEPS, 'every step moves some stream');
});

test('no stream was ever dropped', async () => {
  const found = await Promise.all(STATIONS.map(tunedOrder));
  assert.deepEqual(
    found.flat().toSorted((a, b) => a - b),
    Array.from({ length: STREAMS }, (_none, index) => index + 1),
  );
});
