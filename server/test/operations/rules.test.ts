import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { scaleRules } from '../../../scripts/scale-rules.ts';
import { listAlerts, PROMETHEUS_FOLDER, RULE_FILES } from './alert-rules.ts';

const TEST_FILES = globSync('*.test.yml', { cwd: PROMETHEUS_FOLDER }).toSorted();

function run(program: string, ...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: PROMETHEUS_FOLDER, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
}

test('promtool and amtool accept the rules and both configurations', () => {
  run('promtool', 'check', 'rules', '--lint=all', '--lint-fatal', ...RULE_FILES);
  run('promtool', 'check', 'config', 'prometheus.yml');
  run('amtool', 'check-config', 'alertmanager.yml');
});

for (const file of TEST_FILES)
  test(`the cases of ${file} hold`, () => run('promtool', 'test', 'rules', file));

test('every alert has a case in which it fires and one in which it is silent', () => {
  const cases = TEST_FILES.map((file) => readFileSync(join(PROMETHEUS_FOLDER, file), 'utf8')).join('\n');
  const found = [...cases.matchAll(/alertname: (\w+)\n\s+eval_time: \w+\n\s+exp_alerts:( \[\])?$/gm)];
  const of = (isSilent: boolean) =>
    new Set(found.filter(([, , silent]) => (silent !== undefined) === isSilent).map(([, name]) => name));
  const names = listAlerts().map(({ name }) => name);
  assert.ok(names.length >= 15, `${names.length} alerts`);
  assert.deepEqual(
    names.filter((name) => !of(false).has(name)),
    [],
    'never fires',
  );
  assert.deepEqual(
    names.filter((name) => !of(true).has(name)),
    [],
    'is never silent',
  );
});

test('every alert says how urgent it is, what happened, and where its runbook is', () => {
  for (const { name, text } of listAlerts()) {
    assert.match(text, /^ {8}labels: \{ severity: (?:page|ticket) \}$/m, name);
    assert.match(text, /^ {10}summary: /m, name);
    assert.match(text, new RegExp(`^ {10}runbook: docs/operations\\.md#${name.toLowerCase()}$`, 'm'), name);
  }
});

test('scaled rules are shorter in every duration and in nothing else', () => {
  const rules = [
    '    interval: 30s',
    '      - record: longwave:errors:ratio_rate5m',
    '        expr: rate(x[5m]) > 0.8 * (y offset 1d) and z > 3 * 86400',
    '        for: 2m',
    '',
  ].join('\n');
  assert.equal(scaleRules(rules, 1), rules);
  assert.equal(
    scaleRules(rules, 60),
    [
      '    interval: 1s',
      '      - record: longwave:errors:ratio_rate5m',
      '        expr: rate(x[5s]) > 0.8 * (y offset 1440s) and z > 3 * 86400',
      '        for: 2s',
      '',
    ].join('\n'),
  );
  assert.throws(() => scaleRules(rules, 0), /at least 1/);
});
