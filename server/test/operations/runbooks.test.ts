import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CHECKOUT, listAlerts } from './alert-rules.ts';

const sections = new Map(
  readFileSync(join(CHECKOUT, 'docs/operations.md'), 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
);
const runbooks = [...sections.keys()].filter((title) => title.startsWith('Longwave'));

test('each alert has its runbook by its own name, and there is no other', () => {
  const alerts = listAlerts().map(({ name }) => name);
  assert.deepEqual(runbooks.toSorted(), alerts.toSorted());
});

test('each runbook says what the alert means, what to do, and how it was rehearsed', () => {
  for (const title of runbooks) {
    const text = sections.get(title) ?? '';
    assert.match(text, /\*\*Means\*\*/, title);
    assert.match(text, /\*\*Do\*\*|\*\*do\*\*/, title);
    assert.match(text, /\*Rehearsed\*/, title);
  }
});

test('every metric of ours that the page names is one that rules or the dashboard can ask for', () => {
  const named = new Set(sections.get('What is shown')?.match(/longwave_\w+/g));
  const source = [
    'net/http/metrics.ts',
    'net/http/listen/listen.ts',
    'app/backup-jobs.ts',
    'app/watch.ts',
    'cli/serve/open-reads.ts',
    'workers/runner/due-job.ts',
  ]
    .map((file) => readFileSync(join(CHECKOUT, 'server/src', file), 'utf8'))
    .join('\n');
  assert.ok(named.size > 20, `${named.size} names`);
  assert.deepEqual(
    [...named].filter((name) => !source.includes(`'${name.replace('longwave_', '')}'`)),
    [],
  );
});
