import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabaseWithPlaces } from '../database/database.ts';
import { REAL_SAMPLE, withoutRealData } from '../content/real-data.ts';
import { runLongwave } from '../processes/run-longwave.ts';
import { startService } from '../processes/service-process.ts';
import { TEST_WAIT_FACTOR } from '../time/wait-factor.ts';

/** As long as it may take on a machine that has nothing else to do. */
const SOON_S = 10;
const TAKEN_DOWN = 335;

/** The id and name under which a server knows a station; undefined where it shows none. */
async function shown(origin: string, id: number): Promise<string | undefined> {
  const ask = (): Promise<Response> => fetch(`${origin}/Describe.ashx?id=s${id}`);
  // Again where the server closed the connection, which was idle while a command ran.
  const body = await (await ask().catch(ask)).text();
  const [guideId, name] = ['guide_id', 'name'].map((tag) => new RegExp(`<${tag}>([^<]*)`).exec(body)?.[1]);
  return guideId === undefined ? undefined : `${guideId} ${name}`;
}

/** What the records say next time: the same of each station, but for its votes, so that every one is derived again. */
const withNews = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const record: { votes?: number } = JSON.parse(line);
      return JSON.stringify({ ...record, votes: (record.votes ?? 0) + 1 });
    })
    .join('\n');

test(
  'an edit, a merge, a hidden station and a takedown are on all servers in seconds, survive an import, and are undone',
  { skip: withoutRealData, timeout: 900_000 },
  async (context: TestContext) => {
    await using database = await testDatabaseWithPlaces();
    const folder = mkdtempSync(join(tmpdir(), 'longwave-operator-'));
    context.after(() => rmSync(folder, { recursive: true }));
    const longwave = (...args: string[]): string => {
      const { status, stdout, stderr } = runLongwave(args, { DATABASE_URL: database.url });
      assert.equal(status, 0, stderr);
      return stdout;
    };
    longwave('import', 'stations', REAL_SAMPLE);
    await using one = await startService(database.url);
    await using two = await startService(database.url);

    const { rows } = await database.pool.query<{ id: number; name: string }>(
      `SELECT min(id) AS id, min(name) AS name FROM stations GROUP BY name_key
       HAVING count(*) = 1 AND length(min(name)) > 3 AND min(name) !~ '[|&<>#.]' ORDER BY 1 LIMIT ${TAKEN_DOWN + 4}`,
    );
    const [edited, kept, gone, hidden, ...named] = rows;
    assert.ok(edited && kept && gone && hidden && named.length === TAKEN_DOWN);
    const list = join(folder, 'names.txt');
    writeFileSync(list, ['# a letter', ...named.map(({ name }) => name)].join('\n'));

    /** Waits until both servers say so of every station. */
    const until = async (what: string, expected: ReadonlyMap<number, string | undefined>): Promise<void> => {
      const start = performance.now();
      for (const { origin } of [one, two]) {
        for (const [id, text] of expected) {
          while ((await shown(origin, id)) !== text) {
            const seconds = (performance.now() - start) / 1000;
            assert.ok(seconds < SOON_S * TEST_WAIT_FACTOR, `${what}: s${id} is ${await shown(origin, id)}`);
            await sleep(100);
          }
        }
      }
      context.diagnostic(
        `${what}: on both servers after ${((performance.now() - start) / 1000).toFixed(1)} s`,
      );
    };
    const before = new Map<number, string | undefined>();
    for (const { id } of rows) before.set(id, await shown(one.origin, id));
    assert.ok([...before.values()].every((text) => text !== undefined));

    const changes = [
      longwave('station', 'set', `s${edited.id}`, 'name=Longwave Test Station', '--as', 'ann'),
      longwave('station', 'merge', `s${kept.id}`, `s${gone.id}`, '--why', 'one station'),
      longwave('station', 'hide', `s${hidden.id}`, '--why', 'closed down'),
    ].map((said) => /^change (\d+):/.exec(said)?.[1] ?? assert.fail(said));
    assert.match(
      longwave('takedown', list, '--why', 'a letter'),
      /335 lines mean 335 stations; 0 mean none yet, 0 /,
    );
    const applied = longwave('takedown', list, '--why', 'a letter', '--apply');
    const takedown = /takedown (\d+): 335 stations are hidden/.exec(applied)?.[1] ?? assert.fail(applied);

    const changed = new Map<number, string | undefined>([
      [edited.id, `s${edited.id} Longwave Test Station`],
      [gone.id, before.get(kept.id)],
      [kept.id, before.get(kept.id)],
      [hidden.id, undefined],
      ...named.map(({ id }) => [id, undefined] as const),
    ]);
    await until('changed', changed);

    assert.match(
      longwave('import', 'stations', REAL_SAMPLE),
      / 0 changed\n[^]*\n1 station has fields that an operator/,
    );
    const news = join(folder, 'news.jsonl');
    writeFileSync(news, withNews(readFileSync(REAL_SAMPLE, 'utf8')));
    const report = join(folder, 'report.jsonl');
    assert.match(
      longwave('import', 'stations', news, '--report', report),
      /, 0 new streams\n[^]* 0 unchanged\n/,
    );
    assert.match(
      readFileSync(report, 'utf8'),
      /"what":"kept","station":"s\d+","field":"name","operator":"Longwave Test/,
    );
    await until('after two imports', changed);

    for (const change of changes) longwave('station', 'revert', change);
    longwave('takedown', 'lift', takedown);
    await until('undone', before);
  },
);
