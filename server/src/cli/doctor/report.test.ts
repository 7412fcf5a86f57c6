import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { readConfig } from '../../app/config.ts';
import { broken, note, unknown, warning, well } from './check.ts';
import { hideSecrets, reportOf, screenOf, secretsOf, writeReport } from './report.ts';
import { drawBar, formatBytes, formatSeconds } from './format.ts';

const EXAMINED = [
  { title: 'One', findings: [well('short', 'fine'), note('a longer name', 'a choice', 'SOME=thing')] },
  {
    title: 'Two',
    findings: [broken('b', 'torn in the middle of a long sentence that goes on', 'longwave migrate')],
  },
  { title: 'Three', findings: [warning('c', 'odd', 'look'), unknown('d', 'not looked at')] },
];
const report = reportOf(EXAMINED, { clean: (text) => text, command: 'npm run longwave --' });

test('lines stand under each other, long ones are broken at blanks, and what mends stands beneath', () => {
  const text = writeReport(report, { hasColours: false, columns: 60 });
  assert.equal(
    text,
    `One
  ✓ short          fine
  · a longer name  a choice
                   → SOME=thing

Two
  ✗ b              torn in the middle of a long sentence
                   that goes on
                   → npm run longwave -- migrate

Three
  ! c              odd
                   → look
  ? d              not looked at

1 of 5 is broken, 1 worth a look, 1 could not be checked. Fix the first one and run it again.`,
  );
});

test('colours change nothing but the colours', () => {
  const [plain, coloured] = [false, true].map((hasColours) =>
    writeReport(report, { hasColours, columns: 80 }),
  );
  assert.ok(coloured && coloured !== plain);
  assert.equal(stripVTControlCharacters(coloured), plain);
});

test('colours are for a terminal that has them, and lines fit a narrow one', () => {
  const terminal = { isTTY: true, columns: 80, hasColors: () => true };
  assert.deepEqual(screenOf(terminal), { hasColours: true, columns: 80 });
  assert.equal(screenOf({ ...terminal, hasColors: () => false }).hasColours, false);
  assert.deepEqual(screenOf({ ...terminal, isTTY: false }), { hasColours: false, columns: 110 });
});

test('the worst that was found is what the whole is called', () => {
  const stateOf = (...groups: typeof EXAMINED): [string, string] => {
    const { state, summary } = reportOf(groups, { clean: (text) => text, command: 'longwave' });
    return [state, summary];
  };
  const [one, , three] = EXAMINED;
  assert.ok(one && three);
  assert.deepEqual(stateOf(one), ['well', 'Everything works: 2 of 2 checks passed.']);
  assert.deepEqual(stateOf(one, three), [
    'warning',
    'It works: 1 worth a look, 1 could not be checked, the rest is fine.',
  ]);
});

test('keys and passwords are taken out of whatever is said, written either way', () => {
  const config = readConfig({
    MEMBER_KEY: 'k'.repeat(32),
    DATABASE_URL: 'postgres://me:p%40ss-one@db/x?sslpassword=pass-two',
    DATABASE_READ_URL: 'postgres://me:pass-four@replicas/x',
    REDIS_URL: 'redis://:pass-three@cache',
    RELAY_KEY: 'r'.repeat(32),
    EDGE_KEY: 'e'.repeat(32),
  });
  const said = `${'k'.repeat(32)} p%40ss-one p@ss-one pass-two pass-three db pass-four ${'r'.repeat(32)} ${'e'.repeat(32)}`;
  assert.equal(hideSecrets(said, secretsOf(config)), '*** *** *** *** *** db *** *** ***');
});

test('times, sizes and shares are spelled for people', () => {
  assert.deepEqual([0, 1, 119, 120, 7199, 172_800].map(formatSeconds), [
    '0 seconds',
    '1 second',
    '119 seconds',
    '2 minutes',
    '120 minutes',
    '2 days',
  ]);
  assert.deepEqual([4000, 1.25e6, 110e6, 2e12].map(formatBytes), ['4 kB', '1.3 MB', '110 MB', '2 TB']);
  assert.equal(drawBar(1), '█'.repeat(20));
  assert.equal(drawBar(0.999), `${'█'.repeat(19)}░`);
  assert.equal(drawBar(0.001), `█${'░'.repeat(19)}`);
});
