import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../test/database/database.ts';
import { contextOf, findingsOf } from '../../../test/doctor/doctor-context.ts';
import { portOf } from '../../../test/servers/port-of.ts';
import type { Finding } from './check.ts';
import { upnpCheck } from './upnp-check.ts';

let database: TestDatabase;
let status = 200;
const server = createServer((request, response) => {
  response.writeHead(request.url === '/description.xml' ? status : 404).end();
});
before(async () => {
  database = await testDatabase();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
after(async () => {
  server.close();
  await database[Symbol.asyncDispose]();
});

const look = (settings: Record<string, string>): Promise<Map<string, Finding>> =>
  findingsOf(upnpCheck, contextOf(settings, database.pool));
/** An interface that no machine has, so that nothing is sent anywhere. */
const ON = { UPNP: 'on', UPNP_INTERFACES: 'none0' };

test('one that is off is told of, and nothing is wrong', async () => {
  const findings = await look({});
  assert.deepEqual(
    [...findings.values()].map(({ name, state }) => [name, state]),
    [['server', 'note']],
  );
});

test('one that answers is well, one that does not is to be started', async () => {
  status = 200;
  const up = await look({ ...ON, UPNP_PORT: String(portOf(server)), UPNP_NAME: 'Kitchen' });
  assert.deepEqual(
    [up.get('server')?.state, up.get('server')?.text.startsWith('"Kitchen" answers')],
    ['well', true],
  );
  status = 404;
  assert.match(
    (await look({ ...ON, UPNP_PORT: String(portOf(server)) })).get('server')?.text ?? '',
    /another program/,
  );
  const down = await look({ ...ON, UPNP_PORT: '9' });
  assert.equal(down.get('server')?.state, 'broken');
  assert.match(down.get('server')?.mend ?? '', /longwave upnp/);
});

test('an interface that is not there, and an account that nobody has, are broken', async () => {
  const findings = await look({ ...ON, UPNP_ACCOUNT: 'nobody' });
  assert.match(findings.get('network')?.text ?? '', /none of none0/);
  assert.equal(findings.get('presets')?.state, 'broken');
  await database.pool.query(
    "INSERT INTO accounts (id, username, password_hash) VALUES (7, 'Ann', 'none'); INSERT INTO usernames (username_key, account_id) VALUES ('ann', 7)",
  );
  assert.equal((await look({ ...ON, UPNP_ACCOUNT: 'Ann' })).get('presets')?.state, 'well');
  await database.pool.query('UPDATE accounts SET closed_at = now()');
  assert.match((await look({ ...ON, UPNP_ACCOUNT: 'Ann' })).get('presets')?.text ?? '', /is closed/);
});
