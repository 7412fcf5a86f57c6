import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { waitUntil } from '../../../../scripts/services/service.ts';
import { describe } from '../../../src/protocols/radiotime/describe/describe.ts';
import { openDirectory } from '../../../src/core/directory/directory.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { createLog } from '../../../src/lib/log.ts';
import { openPlayingStore } from '../../../src/app/open-playing.ts';
import { PlayingBoard } from '../../../src/core/now-playing/playing-board.ts';
import { type TestDatabase, testDatabase } from '../../database/database.ts';
import { type TestApp, testApp } from '../../apps/http-server.ts';
import { type SongServer, startSongServer, stream } from '../../servers/song-server.ts';
import { addStations } from './song-stations.ts';

/** The whole form: PLAYING_STATIONS=5000 PLAYING_CALLERS=50000 PLAYING_SONGS=3. */
const STATIONS = Number(process.env['PLAYING_STATIONS'] ?? 300);
const CALLERS = Number(process.env['PLAYING_CALLERS'] ?? 10 * STATIONS);
/** How many songs each station plays; each takes half a minute. */
const SONGS = Number(process.env['PLAYING_SONGS'] ?? 1);
const UNASKED = Math.ceil(STATIONS / 5);
const CONCURRENCY = STATIONS > 1000 ? 100 : 20;
const LEASE_MS = 5000;
/** How long a station takes to answer. */
const ANSWER_MS = 200;
/** What Describe says that an answer holds which knows no end. */
const LIFETIME_MS = 30_000;
/** No station is asked again sooner; a little less, for a machine that is busy. */
const POLL_MS = 14_000;

const redisUrl = process.env['REDIS_URL'];
const log = createLog({ level: 'silent' });
const opened = new AsyncDisposableStack();
let database: TestDatabase;
let server: SongServer;
let apps: TestApp[];
let boards: PlayingBoard[];
let round = 1;
/** When each station was asked, by its path. */
const askedAt = new Map<string, number[]>();

before(async () => {
  database = opened.use(await testDatabase());
  server = opened.use(await startSongServer());
  const live = stream(() => `Artist ${round} - Song ${round}`);
  server.otherwise = (request, response) => {
    const path = request.url ?? '';
    askedAt.set(path, [...(askedAt.get(path) ?? []), performance.now()]);
    setTimeout(() => live(request, response), ANSWER_MS);
  };
  await addStations(database.pool, STATIONS + UNASKED, server.port);
  const { pool, url: databaseUrl } = database;
  const directory = opened.use(await openDirectory({ pool, databaseUrl, log }));
  boards = [];
  for (const _ of ['one process', 'another']) {
    const store = opened.use(await openPlayingStore(redisUrl, { pool, log }));
    assert.equal(store.kind, 'redis');
    boards.push(opened.use(new PlayingBoard({ store, clock: systemClock })));
  }
  const aliases = { find: async () => undefined };
  apps = boards.map((playing) =>
    testApp(describe({ directory, db: pool, aliases, playing }), { logLevel: 'silent' }),
  );
  opened.defer(async () => {
    for (const { app } of apps) await app.close();
  });
});
after(() => opened.disposeAsync());

function startPoller(): ChildProcess {
  const file = join(import.meta.dirname, 'song-poller.ts');
  const env = { ...process.env, DATABASE_URL: database.url, LOG_LEVEL: 'warn' };
  const poller = spawn(process.execPath, [file, String(CONCURRENCY), String(LEASE_MS)], {
    env,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  opened.defer(() => void poller.kill('SIGKILL'));
  return poller;
}

/** Each asks one of the two processes about one station; gives what they are told to hold it for. */
async function call(callers: number): Promise<Set<string>> {
  const lifetimes = new Set<string>();
  for (let caller = 0; caller < callers; caller += 1) {
    const url = `/Describe.ashx?c=nowplaying&id=s${(caller % STATIONS) + 1}`;
    const app = apps[Math.floor(caller / STATIONS) % apps.length]?.app;
    const answer = await app?.inject({ url, headers: { host: 'radio.test' } });
    assert.equal(answer?.statusCode, 200);
    lifetimes.add(String(answer?.headers['cache-control']));
    // Stations and news come through the same thread.
    if (caller % 50 === 0) await new Promise(setImmediate);
  }
  return lifetimes;
}

const connections = (): number => [...server.asked.values()].reduce((sum, times) => sum + times, 0);
const known = (board: PlayingBoard): number =>
  [...board.listPlaying()].filter(({ song }) => song.title === `Song ${round}`).length;

test('callers by the thousand cause one poller a station, whoever of two polls it, and none where nobody asks', async (t) => {
  const [doomed, heir] = [startPoller(), startPoller()];
  const calling = call(CALLERS);
  await waitUntil('a third of the stations asked', async () => connections() >= STATIONS / 3, 60_000);
  doomed.kill('SIGKILL');
  const killedAt = performance.now();
  const lifetimes = await calling;
  assert.ok(
    [...lifetimes].every((held) => /^private, max-age=(?:15|30)$/.test(held)),
    [...lifetimes].join(),
  );
  for (const board of boards)
    await waitUntil('the song of every station', async () => known(board) === STATIONS, 120_000);
  t.diagnostic(
    `${CALLERS} callers, ${STATIONS} stations, ${connections()} connections; all known ` +
      `${Math.round(performance.now() - killedAt)} ms after one poller was killed`,
  );
  const asked = [...server.asked.keys()].map((path) => Number(path.slice(1)));
  assert.deepEqual(
    asked.filter((station) => station > STATIONS),
    [],
    'nobody asked about these',
  );
  assert.equal(new Set(asked).size, STATIONS);
  // What the dead poller had in hand is asked again by the other; nothing else is asked twice before its time.
  const early = [...askedAt.values()].filter((times) =>
    times.some((at, n) => at - (times[n - 1] ?? -Infinity) < POLL_MS),
  );
  assert.ok(early.length <= CONCURRENCY, `${early.length} stations were asked too often`);
  assert.match(
    String(
      (await apps[0]?.app.inject({ url: '/NowPlaying.aspx?id=s1', headers: { host: 'radio.test' } }))?.body,
    ),
    /text="Artist 1 - Song 1" key="song"/,
  );
  heir.kill('SIGTERM');
  await once(heir, 'exit');
});

if (SONGS > 1)
  test(`a new song is told within the lifetime of the old one, ${SONGS - 1} times`, async (t) => {
    const pollers = [startPoller(), startPoller()];
    for (round = 2; round <= SONGS; round += 1) {
      const changedAt = performance.now();
      await call(STATIONS * apps.length);
      for (const board of boards)
        await waitUntil(
          'the new song of every station',
          async () => known(board) === STATIONS,
          3 * LIFETIME_MS,
        );
      const tookMs = performance.now() - changedAt;
      t.diagnostic(`song ${round} of all ${STATIONS} stations known after ${Math.round(tookMs)} ms`);
      assert.ok(tookMs <= LIFETIME_MS, `${tookMs} ms`);
    }
    for (const poller of pollers) {
      poller.kill('SIGTERM');
      await once(poller, 'exit');
    }
  });
