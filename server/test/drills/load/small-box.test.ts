import assert from 'node:assert/strict';
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { redisService } from '../../../../scripts/services/redis.ts';
import { addPartner } from '../../../src/core/accounts/partners/partners.ts';
import { poolOf, urlOf } from '../../database/database-server.ts';
import { ensurePlacesTemplate } from '../../database/made-databases.ts';
import { copyDatabase, startPrivatePostgres } from '../../database/private-postgres.ts';
import { REAL_SAMPLE, REAL_STATIONS, withoutRealData } from '../../content/real-data.ts';
import { BoxedService, type LogLine } from '../../small-box/boxed-service.ts';
import { MemoryLimit } from '../../small-box/memory-limit.ts';
import { familyOf, PeakMemory } from '../../small-box/peak-memory.ts';
import { PARTNER, Radios } from '../../small-box/radios.ts';
import { TEST_WAIT_FACTOR } from '../../time/wait-factor.ts';

/** The long form, `SMALL_BOX=full`: all stations in 1 GB. */
const IS_FULL = process.env['SMALL_BOX'] === 'full';
const LIMIT_MB = IS_FULL ? 1000 : 600;
const RADIOS = 20;
/** Calls go on for so long after an import, in which the server reads the directory again. */
const AFTERWARDS_MS = IS_FULL ? 15_000 : 3000;
const MEMBER_KEY = 'a key for the small box, which protects nobody';

/** Every record says something else than the day before, as votes and clicks do. */
const nextDay = (records: string): string =>
  records.replaceAll(/"votes":(\d+)/g, (_all, votes: string) => `"votes":${Number(votes) + 1}`);

const readRecords = (): string =>
  IS_FULL ? gunzipSync(readFileSync(REAL_STATIONS)).toString('utf8') : readFileSync(REAL_SAMPLE, 'utf8');

const seconds = (ms: number): number => Math.round(ms / 1000);
const megabytes = (bytes: number): number => Math.round(bytes / 1e6);

test(
  `${RADIOS} radios are served from a box of ${LIMIT_MB} MB while all stations are imported again`,
  { skip: withoutRealData, timeout: 2_400_000 },
  async (t) => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'longwave-small-box-'));
    await using opened = new AsyncDisposableStack();
    const limit = MemoryLimit.open(LIMIT_MB * 1e6);
    if (limit) opened.use(limit);
    else t.diagnostic('this user may make no cgroup: the memory is measured, and not limited');

    const postgres = opened.use(await startPrivatePostgres());
    const redis = redisService(folder.path);
    const { url: redisUrl } = await redis.up();
    opened.defer(() => redis.down().then(() => undefined));
    const redisPid = Number(readFileSync(join(folder.path, 'redis.pid'), 'utf8'));
    for (const pid of [...familyOf(postgres.pid()), redisPid]) limit?.add(pid);
    copyDatabase(urlOf(await ensurePlacesTemplate()), postgres.url);
    const pool = poolOf(postgres.url, 2);
    opened.defer(() => pool.end());
    await addPartner(pool, { id: PARTNER, name: 'A small box' });

    const file = join(folder.path, 'stations.jsonl.gz');
    const records = readRecords();
    writeFileSync(file, gzipSync(records));
    const env = {
      DATABASE_URL: postgres.url,
      REDIS_URL: redisUrl,
      MEMBER_KEY,
      STATION_SOURCES: `radio-browser=${file}`,
      HTTP_HOST: '127.0.0.1',
      HTTP_PORT: '0',
      PRIVATE_PORT: '0',
      WORK_PORT: '0',
      CALLS_PER_ADDRESS: '0',
      DATABASE_WAIT_FACTOR: `${TEST_WAIT_FACTOR}`,
      // There is no internet here to listen to.
      PROBE_CONCURRENCY: '0',
      LOGO_CONCURRENCY: '0',
    };
    const start = (command: string, more: NodeJS.ProcessEnv = {}): BoxedService =>
      opened.use(new BoxedService(command, { ...env, ...more }, limit));
    let started = performance.now();
    const worker = start('work', { SONG_CONCURRENCY: '0' });
    const first = await worker.said('a source was imported');
    const firstSeconds = seconds(performance.now() - started);
    // As compose.yaml and the package start it.
    const server = start('serve', { DATABASE_POOL_SIZE: '5' });
    const { httpPort } = await server.said('serving');
    using memory = new PeakMemory({
      server: server.process.pid ?? 0,
      worker: worker.process.pid ?? 0,
      PostgreSQL: postgres.pid(),
      Redis: redisPid,
    });

    const radios = new Radios(`http://127.0.0.1:${String(httpPort)}`);
    let again: LogLine = { msg: '' };
    let againSeconds = 0;
    await radios.during(RADIOS, async () => {
      writeFileSync(file, gzipSync(nextDay(records)));
      await sleep(AFTERWARDS_MS);
      started = performance.now();
      const before = worker.lines.length;
      await pool.query('UPDATE station_sources SET next_due_at = now()');
      again = await worker.said('a source was imported', before);
      againSeconds = seconds(performance.now() - started);
      await sleep(AFTERWARDS_MS);
    });
    const peak = memory.read();
    const peaks = Object.entries(peak).map(([name, bytes]) => `${name} ${megabytes(bytes)} MB`);
    t.diagnostic(`peak memory: ${peaks.join(', ')}`);
    t.diagnostic(`first import ${firstSeconds} s, again ${againSeconds} s: ${JSON.stringify(again)}`);
    t.diagnostic(
      `${radios.elapsedMs.length} calls ${JSON.stringify(radios.calls)}: p50 ${radios.percentile(0.5)} ms, p99 ${radios.percentile(0.99)} ms, slowest ${radios.percentile(1)} ms`,
    );

    assert.deepEqual(radios.failures.slice(0, 5), []);
    assert.ok(radios.elapsedMs.length > RADIOS);
    assert.equal(again['records'], first['records']);
    assert.equal(again['changed'], first['added'], 'every record was written again');
    assert.ok(server.isRunning && worker.isRunning);
    assert.equal(limit?.countKilled() ?? 0, 0);
    assert.ok(peak['together']! < LIMIT_MB * 1e6, `${peak['together']} bytes`);
    const { rows } = await pool.query<{ count: number }>('SELECT count(*)::int AS count FROM presets');
    assert.ok(rows[0]!.count > 0);
  },
);
