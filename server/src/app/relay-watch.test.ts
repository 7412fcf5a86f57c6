import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { portOf } from '../../test/servers/port-of.ts';
import { createLog } from '../lib/log.ts';
import { RelayWatch } from './relay-watch.ts';

const WAIT_MS = 200;

test('a relay that answers late once is still given out; one that does so again, or hangs up, is not', async () => {
  let way: 'ready' | 'silent' | 'stopping' = 'ready';
  const server = createServer((_request, response) => {
    if (way === 'ready') response.end();
    else if (way === 'stopping') response.writeHead(503).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const port = portOf(server);
  using watch = new RelayWatch(`http://127.0.0.1:${port}`, 2, createLog({ level: 'silent' }), WAIT_MS);
  const looks = async (now: typeof way): Promise<boolean> => {
    way = now;
    await watch.look();
    return watch.isReady();
  };
  assert.equal(await looks('silent'), false, 'nobody has seen it yet');
  assert.equal(await looks('ready'), true);
  assert.equal(await looks('silent'), true, 'late once');
  assert.equal(await looks('ready'), true);
  assert.equal(await looks('silent'), true, 'late once, after it was in time');
  assert.equal(await looks('silent'), false, 'late twice');
  assert.equal(await looks('silent'), false);
  assert.equal(await looks('ready'), true);
  assert.equal(await looks('stopping'), false, 'it says so itself');
  assert.equal(await looks('ready'), true);
  server.closeAllConnections();
  server.close();
  assert.equal(await looks('ready'), false, 'nobody is there');
});
