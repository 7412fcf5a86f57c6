import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { waitUntil } from '../time/wait-until.ts';
import { testDatabase, type TestDatabase } from '../database/database.ts';
import { CHECKOUT, listExpressions, listRecorded } from './alert-rules.ts';
import { type RunningDirectory, startDirectory } from './running-directory.ts';

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}

const { panels }: { panels: Panel[] } = JSON.parse(
  readFileSync(join(CHECKOUT, 'deploy/grafana/longwave.json'), 'utf8'),
);
const charts = panels.filter(({ type }) => type !== 'row');
const expressions = charts.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** Shown by other programs than a server and a worker, or only once something has happened. */
const ELSEWHERE = new Map([
  ['longwave_backup_age_seconds', 'where backups are made'],
  ['longwave_restore_verified_age_seconds', 'where backups are restored'],
  ['node_filesystem_avail_bytes', 'the node exporter'],
  ['node_filesystem_size_bytes', 'the node exporter'],
  ['up', 'Prometheus itself'],
]);

let database: TestDatabase;
let running: RunningDirectory;
before(async () => {
  database = await testDatabase();
  running = await startDirectory(database.url);
});
after(async () => {
  await running[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** Names of series in an expression: words that are no function, keyword or label. */
function seriesIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/\{[^}]*\}|"[^"]*"|\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|on|without|ignoring) \([^)]*\)/g, ' ');
  return [...bare.matchAll(/[a-z_][\w:]*(?!\w*\()/g)]
    .map(([name]) => name)
    .filter((name) => /_|:|^up$/.test(name) && name !== 'histogram_quantile');
}

test('panels lie beside and below each other, each with its own number', () => {
  assert.ok(charts.length >= 20, `${charts.length} charts`);
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  for (const { title, gridPos } of panels) assert.ok(gridPos.x + gridPos.w <= 24, title);
  for (const { title, targets = [] } of charts) assert.ok(targets.length > 0, title);
});

test('every expression of the dashboard can be read by Prometheus', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'longwave-dashboard-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const rules = expressions.map((expr, index) => ({ record: `panel:${index}`, expr }));
  // JSON is YAML.
  writeFileSync(join(folder, 'rules.yml'), JSON.stringify({ groups: [{ name: 'panels', rules }] }));
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', 'rules.yml'], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout + stderr);
});

test('every series that the dashboard and the rules ask for is shown by a real server or worker, or recorded', async () => {
  const wanted = new Set([...expressions, ...listExpressions()].flatMap(seriesIn));
  assert.ok(wanted.size > 30, `${wanted.size} series`);
  const recorded = listRecorded();
  await fetch(`${running.service.origin}/Tune.ashx?id=s1&partnerId=demo`);
  await waitUntil('every series', async () => {
    const { service, worker } = await running.scrape();
    // Histograms and counters without a count yet are told by their type.
    const shown = new Set(
      [...`${service}\n${worker}`.matchAll(/^(?:# TYPE )?([a-zA-Z_:]\w*)/gm)].map(([, name]) => name),
    );
    const missing = [...wanted].filter(
      (name) =>
        !shown.has(name) &&
        !shown.has(name.replace(/_(?:bucket|count|sum)$/, '')) &&
        !recorded.has(name) &&
        !ELSEWHERE.has(name),
    );
    if (missing.length > 0) throw new Error(`missing: ${missing.join(', ')}`);
    return true;
  });
});

test('names of series are found in expressions', () => {
  const expression =
    'histogram_quantile(0.9, sum by (le, job_name) (rate(a_seconds_bucket{x="b_c"}[5m]))) > time() - d:e and up == 0';
  assert.deepEqual(seriesIn(expression), ['a_seconds_bucket', 'd:e', 'up']);
});
