import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/database/database.ts';
import { contextOf, findingsOf } from '../../../test/doctor/doctor-context.ts';
import { portOf } from '../../../test/servers/port-of.ts';
import type { Finding } from './check.ts';
import { relayCheck } from './relay-check.ts';

const RELAY_KEY = 'a key of the relay, forty characters 1234';

let database: TestDatabase;
let status = 200;
const relay = createServer((request, response) => {
  response.writeHead(request.url === '/r/ready' ? status : 404).end();
});
before(async () => {
  database = await testDatabase();
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
});
after(async () => {
  relay.close();
  await database[Symbol.asyncDispose]();
});

const look = (settings: Record<string, string>): Promise<Map<string, Finding>> =>
  findingsOf(relayCheck, contextOf({ RELAY_KEY, ...settings }, database.pool));

test('a relay that is off is told of, and nothing is wrong', async () => {
  const findings = await look({});
  assert.equal(findings.get('ready')?.state, 'note');
  assert.equal(findings.size, 1);
});

test('one that is ready where radios are sent to is well', async () => {
  status = 200;
  const address = `http://127.0.0.1:${portOf(relay)}`;
  const findings = await look({ RELAY: 'home', RELAY_ADDRESS: address });
  assert.deepEqual(
    [...findings.values()].map(({ name, state }) => [name, state]),
    [
      ['ready', 'well'],
      ['radios', 'well'],
    ],
  );
});

test('one that does not answer, or is not ready, is broken', async () => {
  const nobody = await look({ RELAY: 'home', RELAY_PORT: '9' });
  assert.equal(nobody.get('ready')?.state, 'broken');
  assert.match(nobody.get('ready')?.text ?? '', /127\.0\.0\.1:9 does not answer/);
  assert.match(nobody.get('ready')?.mend ?? '', /longwave relay/);
  status = 503;
  const draining = await look({ RELAY: 'home', RELAY_ADDRESS: `http://127.0.0.1:${portOf(relay)}` });
  assert.match(draining.get('ready')?.text ?? '', /is not ready/);
});

test('one that answers here, and not where radios and pages are sent to, is warned of', async () => {
  status = 200;
  const findings = await look({
    RELAY: 'home',
    RELAY_READY_ADDRESS: `http://127.0.0.1:${portOf(relay)}`,
    RELAY_ADDRESS: 'http://127.0.0.1:9',
    RELAY_SITE_ADDRESS: 'https://127.0.0.1:9',
  });
  assert.equal(findings.get('ready')?.state, 'well');
  assert.equal(findings.get('radios')?.state, 'warning');
  assert.match(findings.get('pages')?.mend ?? '', /pass \/r\/ on to the relay/);
});

test('conversions need ffmpeg', async () => {
  const { PATH } = process.env;
  try {
    process.env['PATH'] = '/nonexistent';
    const without = await look({ RELAY: 'home', RELAY_CONVERSIONS: '2' });
    assert.equal(without.get('conversions')?.state, 'warning');
    assert.match(without.get('conversions')?.mend ?? '', /install .*ffmpeg/);
  } finally {
    process.env['PATH'] = PATH;
  }
  assert.equal((await look({ RELAY: 'home', RELAY_CONVERSIONS: '2' })).get('conversions')?.state, 'well');
});
