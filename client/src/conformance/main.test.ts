import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { type Break, startSmallServer } from '../../test/small-server.ts';
import { SECTIONS } from './sections.ts';

const MAIN = join(import.meta.dirname, '../../bin/longwave-conformance.js');

interface Ran {
  code: number;
  out: string;
  said: string;
}

async function run(...args: string[]): Promise<Ran> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, said, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, out, said };
}

async function runAgainst(change: Break | undefined, ...args: string[]): Promise<Ran> {
  const server = await startSmallServer(change);
  try {
    return await run('--base-url', server.origin, ...args);
  } finally {
    await server.close();
  }
}

const withoutKey: Break = (sent) => ({ ...sent, body: sent.body.replace(' key="location"', '') });
const withoutShows: Break = (sent) => ({
  ...sent,
  body: sent.body.replaceAll(/<outline [^\n]*"p1"[^\n]*\n/g, ''),
});

test('a conforming server: a row for every check, a summary, exit code 0', async () => {
  const { code, out } = await runAgainst(undefined, '--partner-id', 'kit', '--username', 'ann');
  assert.equal(code, 0, out);
  const ids = SECTIONS.flatMap(({ checks }) => checks.map(({ id }) => id));
  for (const id of ids) assert.match(out, new RegExp(`^  (?:pass|n/a )  ${id.replaceAll('.', '\\.')} `, 'm'));
  const saving = [...out.matchAll(/not shown: give --write/g)].length;
  assert.ok(saving > 35);
  const [passed, missing] = [ids.length - 1 - saving, 1 + saving];
  assert.match(out, new RegExp(`\\n${passed} passed, 0 failed, ${missing} not applicable; \\d+ requests in`));
});

test('a row that fails says what was expected, what came and how to see it again; exit code 1', async () => {
  const { code, out } = await runAgainst(withoutKey, '--section', 'rules');
  assert.equal(code, 1);
  assert.match(
    out,
    /  FAIL  rule-12 .*\n {8}expected: type and key\n {8}came: {5}<outline type="link" text="location" .*\n {8}repeat: {3}curl -sS -i 'http:\/\/127\.0\.0\.1:\d+\/Browse\.ashx'\n/,
  );
});

test('without a partner the rows about presets are not applicable, and say what to give', async () => {
  const { code, out } = await runAgainst(undefined, '--section', '4.3');
  assert.equal(code, 0);
  assert.match(out, /  n\/a {3}4\.3-serial .*\n {8}not shown: give --partner-id\n/);
});

test('a directory without shows: its rows are not applicable and say so', async () => {
  const { out } = await runAgainst(withoutShows, '--section', '4.9', '--section', '4.12', '--json');
  const { results }: { results: { id: string; outcome: string; reason?: string }[] } = JSON.parse(out);
  const show = results.find(({ id }) => id === '4.12-show');
  assert.partialDeepStrictEqual(show, { outcome: 'not applicable', reason: 'not shown: no show was found' });
});

test('--json is one document with every result', async () => {
  const { code, out } = await runAgainst(undefined, '--json', '--section', '4.1');
  assert.equal(code, 0);
  assert.partialDeepStrictEqual(JSON.parse(out), { passed: 11, failed: 0, results: [{ id: '4.1-links' }] });
});

test('--section takes one, several, or all that start so', async () => {
  const { out } = await runAgainst(undefined, '--section', '2', '--section', '4.1');
  const headings = [...out.matchAll(/^(\S+)  \S/gm)].map(([, id]) => id);
  assert.deepEqual(headings, ['2.1', '2.2', '2.3', '2.5', '2.6', '2.7', '4.1']);
});

test('a host where nothing listens is told with what to do', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  const { code, said } = await run('--base-url', `http://127.0.0.1:${port}`);
  assert.equal(code, 1);
  assert.match(said, /gave no answer \(ECONNREFUSED\): nothing listens there: start the server/);
});

test('a server that never answers is given up on in time, and told', async () => {
  const listener = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const { code, said } = await run('--base-url', `http://127.0.0.1:${port}`, '--timeout', '0.3');
  listener.close();
  assert.equal(code, 1);
  assert.match(said, /did not answer within 300 ms; give it longer with --timeout/);
});

test('requests are bounded', async () => {
  const { out } = await runAgainst(undefined, '--max-requests', '5', '--json');
  const { requests, results }: { requests: number; results: { reason?: string }[] } = JSON.parse(out);
  assert.equal(requests, 5);
  assert.ok(results.some(({ reason }) => reason === 'not shown: the kit stops after 5 requests'));
});

const MISTAKES: [args: string[], message: RegExp][] = [
  [[], /Say which server: --base-url/],
  [['--base-url', 'radio.test'], /--base-url is 'radio\.test'; give an address/],
  [['--base-url', 'ftp://radio.test'], /give an address/],
  [['--base-url', 'http://radio.test', '--timeout', 'soon'], /--timeout is 'soon'; give a number/],
  [['--base-url', 'http://radio.test', '--section', '99'], /no section '99'; there are 1, 2\.1/],
  [['--base-url', 'http://radio.test', '--colour'], /--colour/],
];
for (const [args, message] of MISTAKES) {
  test(`not understood: ${args.join(' ') || 'nothing'}`, async () => {
    const { code, said } = await run(...args);
    assert.equal(code, 2);
    assert.match(said, message);
    assert.match(said, /See longwave-conformance --help/);
  });
}

test('--help has examples', async () => {
  const { code, out } = await run('--help');
  assert.equal(code, 0);
  assert.match(out, /longwave-conformance --base-url http:\/\/127\.0\.0\.1:8700\n/);
});
