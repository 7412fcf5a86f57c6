import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BlackHole, startBlackHole } from '../../internet/black-hole.ts';
import { copyDatabase, type PrivatePostgres, startPrivatePostgres } from '../../database/private-postgres.ts';
import { seededDirectory } from '../../content/seeded-directory.ts';
import { seedShows, type SeededShows } from '../../content/seeded-shows.ts';
import { type ServiceProcess, startService } from '../../processes/service-process.ts';

/** `AWAY_SECONDS=30 node scripts/test.ts server/test/drills/away/database-away.test.ts` */
const AWAY_SECONDS = Number(process.env['AWAY_SECONDS'] ?? 8);
/** How long after its return the database must be in use again. */
const HEALED_SECONDS = 10;
const LISTENERS = 4;
/** A caller must know within a second; the rest is the machine's. */
const LATE_MS = 1200;

/** What is asked and how the whole answer looks; `{n}` is a number that was never asked for before. */
interface DrillCall {
  url: string;
  whole: RegExp;
}

/** From memory: whole whatever happens to the database. */
const FROM_MEMORY: readonly DrillCall[] = [
  { url: '/Browse.ashx', whole: /key="presets"/ },
  { url: '/Index.aspx?partnerId=16', whole: /key="local"/ },
  { url: '/Browse.ashx?c=music', whole: /guide_id="g/ },
  { url: '/Browse.ashx?c=talk&render=json', whole: /"guide_id":"g/ },
  { url: '/Browse.ashx?c=lang', whole: /filter=l/ },
  { url: '/Browse.ashx?id=r0', whole: /guide_id="r/ },
  { url: '/Browse.ashx?id=g1000', whole: /item="station"/ },
  { url: '/Browse.ashx?id=g1000&offset={n}&filter=s', whole: /<status>200</ },
  { url: '/Browse.ashx?id=s1', whole: /<status>200<\/status>[^]*<outline/ },
  { url: '/Browse.ashx?c=local&latlon=51.9,-8.4{n}', whole: /item="station"/ },
  { url: '/Tune.ashx?id=s1', whole: /^http:\/\/stream\.example\.net\/harbourfolk-128\.mp3\n/ },
  { url: '/Tune.ashx?id=s1&render=json', whole: /"url":"http/ },
  { url: '/Tune.ashx?id=s1&c=ebrowse', whole: /guide_id="e1"/ },
  { url: '/Tune.ashx?id=e1&sid=s1', whole: /^http:/ },
  { url: '/StationPlaylist.axd?stationId=1', whole: /^http:/ },
  { url: '/Describe.ashx?id=s1', whole: /<name>Harbour Folk<\/name>/ },
  { url: '/Describe.ashx?c=nowplaying&id=s1', whole: /key="station"/ },
  { url: '/Describe.ashx?c=countries', whole: /guide_id="n/ },
  { url: '/json/stations/byname/harbour?offset={n}', whole: /^\[/ },
  { url: '/xml/stations/search?tag=folk', whole: /name="Harbour Folk"/ },
  { url: '/json/tags', whole: /"name":"jazz"/ },
];

/** From the database: whole, or the fault that says why not, and nothing else. */
const fromDatabase = ({ showIds, topicIds }: SeededShows): readonly DrillCall[] => [
  { url: `/Tune.ashx?c=pbrowse&id=p${showIds.at(-1)}`, whole: /key="topics"/ },
  { url: `/Tune.ashx?c=sbrowse&id=p${showIds.at(-1)}`, whole: /item="station"/ },
  { url: `/Tune.ashx?id=t${topicIds.at(-1)}&render=json`, whole: /topics\.example\.net/ },
  { url: '/Search.ashx?query=harbour', whole: /Harbour Folk/ },
  { url: '/Browse.ashx?c=presets&partnerId=demo&username=ann', whole: /guide_id="s1"/ },
  { url: `/Describe.ashx?id=p${showIds.at(-1)}`, whole: /<show>/ },
];

/** What was never read before, so that nothing old is there to be given. */
const NEVER_READ: readonly DrillCall[] = [
  { url: '/Tune.ashx?c=pbrowse&id=p9{n}', whole: /<status>404</ },
  { url: '/Tune.ashx?id=t9{n}&render=json', whole: /"status":"404"/ },
  { url: '/Tune.ashx?id=s9{n}&render=json', whole: /"status":"404"/ },
  { url: '/Search.ashx?query=nobody{n}', whole: /<status>200</ },
];
const UNAVAILABLE = /service\.unavailable/;

let postgres: PrivatePostgres;
let network: BlackHole;
let service: ServiceProcess;
let shows: SeededShows;

before(async () => {
  postgres = await startPrivatePostgres();
  shows = await fill(postgres.url);
  const url = new URL(postgres.url);
  network = await startBlackHole(Number(url.port));
  url.port = String(network.port);
  service = await startService(url.href, { DATABASE_WAIT_FACTOR: '1' });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await network[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

/** Copied from the tests' own server, where the world's places are made once and not for every run. */
async function fill(databaseUrl: string): Promise<SeededShows> {
  await using seeded = await seededDirectory();
  const made = await seedShows(seeded.database.pool);
  copyDatabase(seeded.database.url, databaseUrl);
  return made;
}

let numbers = 0;

async function ask({ url }: DrillCall): Promise<{ asked: string; text: string; status: number; ms: number }> {
  numbers += 1;
  const asked = url.replace('{n}', String(1000 + numbers));
  const started = performance.now();
  const response = await fetch(service.origin + asked, { signal: AbortSignal.timeout(10_000) });
  const text = await response.text();
  return { asked, text, status: response.status, ms: performance.now() - started };
}

/** What listeners saw, as complaints. */
class Witness {
  readonly complaints = new Set<string>();
  readonly late: string[] = [];
  calls = 0;
  unavailable = 0;
  slowestMs = 0;

  async check(call: DrillCall, mayBeUnavailable: boolean): Promise<boolean> {
    this.calls += 1;
    try {
      const { asked, text, status, ms } = await ask(call);
      this.slowestMs = Math.max(this.slowestMs, ms);
      if (status !== 200) this.complaints.add(`${call.url}: HTTP ${status}`);
      if (ms > LATE_MS) this.late.push(`${call.url}: ${Math.round(ms)} ms`);
      const isWhole = call.whole.test(text);
      const isTold = mayBeUnavailable && UNAVAILABLE.test(text);
      if (isTold) this.unavailable += 1;
      if (!isWhole && !isTold) this.complaints.add(`${call.url} (${asked}): ${text.slice(0, 300)}`);
      return isWhole;
    } catch (error) {
      this.complaints.add(`${call.url}: ${String(error)}`);
      return false;
    }
  }
}

/** Listens to everything, over and over, until told to stop. */
async function listenOn(witness: Witness, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const call of FROM_MEMORY) await witness.check(call, false);
    for (const call of [...fromDatabase(shows), ...NEVER_READ]) await witness.check(call, true);
  }
}

async function healed(): Promise<number> {
  const started = performance.now();
  for (;;) {
    const witness = new Witness();
    for (const call of [...fromDatabase(shows), ...NEVER_READ]) await witness.check(call, false);
    const ready = await fetch(`${service.privateOrigin}/readyz`).then((response) => response.text());
    const isHealed = witness.complaints.size === 0 && ready.includes('"database":"up"');
    const seconds = (performance.now() - started) / 1000;
    if (isHealed) return seconds;
    assert.ok(seconds < HEALED_SECONDS, `still ill: ${ready}\n${[...witness.complaints].join('\n')}`);
    await sleep(100);
  }
}

async function drill(
  t: TestContext,
  goAway: () => void | Promise<void>,
  comeBack: () => void | Promise<void>,
) {
  await healed();
  // What is kept in memory has to have been read once; on a busy machine no listener comes so far before it is away.
  for (const call of FROM_MEMORY) await ask(call);
  const done = new AbortController();
  const witness = new Witness();
  const listeners = Array.from({ length: LISTENERS }, () => listenOn(witness, done.signal));
  await sleep(500);
  const toldEarlier = witness.unavailable;
  await goAway();
  await sleep(AWAY_SECONDS * 1000);
  const told = witness.unavailable - toldEarlier;
  done.abort();
  await Promise.all(listeners);
  await comeBack();
  const seconds = await healed();
  t.diagnostic(
    `${witness.calls} calls, ${told} told that the database is away, slowest ${witness.slowestMs.toFixed(0)} ms, healed after ${seconds.toFixed(1)} s`,
  );
  assert.deepEqual([...witness.complaints], []);
  // When the machine stalls once, each listener's call is late once; more than that is the service's doing.
  assert.ok(witness.late.length <= LISTENERS, `late: ${witness.late.join(', ')}`);
  assert.ok(told > 0, 'nobody noticed that the database was away');
  assert.equal(service.process.exitCode, null, 'the service ended');
}

test('PostgreSQL crashes and comes back', (t) =>
  drill(
    t,
    () => postgres.crash(),
    () => postgres.restart(),
  ));

test('PostgreSQL hangs and goes on', (t) =>
  drill(
    t,
    () => postgres.freeze(),
    () => postgres.thaw(),
  ));

test('the network loses every connection without a word, and only new ones get through', (t) =>
  drill(
    t,
    () => network.swallow(),
    () => network.letPass(),
  ));

test('after all that it still stops in good order', async () => {
  const started = performance.now();
  service.process.kill('SIGTERM');
  const [code] = await once(service.process, 'exit');
  assert.equal(code, 0, service.log.slice(-5).join('\n'));
  assert.ok(performance.now() - started < 10_000);
});
