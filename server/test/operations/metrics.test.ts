import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { VERSION } from '../../src/lib/version.ts';
import { waitUntil } from '../time/wait-until.ts';
import { seededDatabase, type TestDatabase } from '../database/database.ts';
import { type RunningDirectory, startDirectory } from './running-directory.ts';

let database: TestDatabase;
let running: RunningDirectory;
before(async () => {
  database = await seededDatabase();
  running = await startDirectory(database.url);
});
after(async () => {
  await running[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** The value of a series, written as Prometheus writes it. */
function valueOf(text: string, series: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? Number.NaN : Number(line.slice(series.length + 1));
}

const read = async (series: string): Promise<number> => valueOf((await running.scrape()).service, series);
const nowSeconds = (): number => Date.now() / 1000;

test('promtool finds nothing wrong with the metrics of a server and of a worker', async () => {
  await fetch(`${running.service.origin}/Browse.ashx?partnerId=demo`);
  const texts = await running.scrape();
  for (const [name, text] of Object.entries(texts)) {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: text,
      encoding: 'utf8',
    });
    assert.equal(stdout + stderr, '', name);
    assert.equal(status, 0, name);
  }
});

test('both name the build', async () => {
  for (const text of Object.values(await running.scrape())) {
    const node = process.versions.node.replaceAll('.', '\\.');
    assert.match(
      text,
      new RegExp(
        `^longwave_build_info\\{version="${VERSION}",commit="(?:unknown|[0-9a-f]+)",node="${node}"\\} 1$`,
        'm',
      ),
    );
  }
});

test('the server tells how old the directory, its sources and its certificate are', async () => {
  const { service } = await running.scrape();
  const checked = valueOf(service, 'longwave_directory_checked_timestamp_seconds');
  assert.ok(Math.abs(nowSeconds() - checked) < 600, `${checked}`);
  const changed = valueOf(service, 'longwave_directory_changed_timestamp_seconds');
  assert.ok(changed > nowSeconds() - 3 * 86_400 && changed <= nowSeconds() + 1, `${changed}`);
  assert.equal(valueOf(service, 'longwave_database_up'), 1);
  const expiry = valueOf(service, 'longwave_tls_certificate_expiry_timestamp_seconds');
  assert.ok(Math.abs(expiry - nowSeconds() - 30 * 86_400) < 2 * 86_400, `${expiry}`);
  const [, source = ''] =
    /^longwave_import_last_success_timestamp_seconds\{source="([^"]+)",daily="false"\} /m.exec(service) ?? [];
  assert.notEqual(source, '');
  const imported = valueOf(
    service,
    `longwave_import_last_success_timestamp_seconds{source="${source}",daily="false"}`,
  );
  assert.ok(imported > nowSeconds() - 3 * 86_400 && imported <= nowSeconds(), `${imported}`);
  assert.equal(
    valueOf(service, 'longwave_import_last_success_timestamp_seconds{source="csv:house",daily="true"}'),
    0,
  );
});

test('the server counts streams, workers and connections', async () => {
  const { rows } = await database.pool.query('SELECT count(*)::int AS streams FROM stream_checks');
  const { service } = await running.scrape();
  const sum = ['plays', 'silent', 'unchecked'].map((state) =>
    valueOf(service, `longwave_streams{state="${state}"}`),
  );
  const streams = sum.reduce((total, each) => total + each, 0);
  assert.ok(streams >= 0 && streams <= rows[0].streams, `${streams} of ${rows[0].streams}`);
  assert.ok(valueOf(service, 'longwave_worker_connections') >= 1);
  assert.equal(valueOf(service, 'longwave_database_pool_max_connections'), 10);
  assert.ok(valueOf(service, 'longwave_database_pool_connections{state="idle"}') >= 1);
  assert.equal(valueOf(service, 'longwave_database_pool_waiting'), 0);
});

test('the cache of menus counts what it finds and what it holds', async () => {
  const misses = 'longwave_cache_misses_total{cache="menus"}';
  // A page that is kept is found by its address, before anybody looks for its menu.
  const hits = 'longwave_cache_hits_total{cache="answers"}';
  const earlier = { hits: await read(hits), misses: await read(misses) };
  for (let time = 0; time < 5; time += 1)
    await (await fetch(`${running.service.origin}/Browse.ashx?c=music&partnerId=demo`)).text();
  assert.equal((await read(misses)) - earlier.misses, 2, 'the first is not kept, the second is');
  assert.equal((await read(hits)) - earlier.hits, 3);
  for (const cache of ['menus', 'answers'])
    assert.ok((await read(`longwave_cache_size_bytes{cache="${cache}"}`)) > 500, cache);
  assert.ok((await read('longwave_cache_max_size_bytes{cache="menus"}')) >= 64 * 2 ** 20);
  assert.equal(await read('longwave_cache_entries{cache="logos"}'), 0);
});

test('the worker tells when each of its loops last lived', async () => {
  const lives = /^longwave_worker_heartbeat_timestamp_seconds\{job="feeds"\} ([\d.]+)$/m;
  const first = Number(lives.exec((await running.scrape()).worker)?.[1]);
  assert.ok(Math.abs(nowSeconds() - first) < 600, `${first}`);
  await waitUntil('the loop to go on', async () => {
    const now = Number(lives.exec((await running.scrape()).worker)?.[1]);
    return now > first || undefined;
  });
});
