import assert from 'node:assert/strict';
import { test } from 'node:test';
import { airApp } from '../../../test/apps/broadcasters-app.ts';
import { startServer } from '../../../test/apps/http-server.ts';
import { describeHistory } from '../../cli/operator/show-history.ts';
import { findStationRow } from '../../storage/catalog/stations/stations.ts';

test('a station says by its key whether it is relayed, and the operator sees who said so', async () => {
  await using app = await airApp();
  const { clock, air, key, otherKey, station, seeded } = app;
  const { pool } = seeded.database;
  await using server = await startServer([], { plainEndpoints: air.plainEndpoints, clock });
  const say = async (body: string, password = key): Promise<[number, string]> => {
    const answer = await fetch(`${server.origin}/air/relay/s${station.id}`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`station:${password}`).toString('base64')}` },
      body,
    });
    return [answer.status, await answer.text()];
  };
  const known = async () => (await findStationRow(pool, station.id))?.relay;
  assert.deepEqual(await say('relay=never'), [200, 'relay=never\n']);
  assert.equal(await known(), 'never');
  await say('relay=never');
  assert.deepEqual(await say('relay=Each'), [200, 'relay=each\n']);
  assert.deepEqual(await say('relay='), [200, 'relay=\n']);
  assert.equal(await known(), null);
  const history = await describeHistory(pool, station.id);
  assert.equal(history.match(/the station \(key test\)/g)?.length, 3, history);
  await pool.query("INSERT INTO relay_listening VALUES ($1, '2026-05-01', '', 3, 5400)", [station.id]);
  const read = (password: string): Promise<Response> =>
    fetch(`${server.origin}/air/relay/s${station.id}`, {
      headers: { authorization: `Basic ${Buffer.from(`station:${password}`).toString('base64')}` },
    });
  assert.equal(await (await read(key)).text(), 'day,country,sessions,hours\n2026-05-01,,3,1.50\n');
  assert.equal((await read(otherKey)).status, 401);
  const [status, text] = await say('relay=sometimes');
  assert.deepEqual([status, /relay=never, relay=each, relay=shared/.test(text)], [400, true]);
  assert.equal((await say('title=x'))[0], 400);
  assert.equal((await say('relay=never', otherKey))[0], 401);
  assert.equal((await say(`relay=${'x'.repeat(2000)}`))[0], 413);
  assert.equal(await known(), null);
});
