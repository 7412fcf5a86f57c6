import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSmallServer } from '../../test/small-server.ts';
import { Kit } from './kit.ts';
import { runChecks } from './run.ts';
import { SECTIONS } from './sections.ts';

test('a server that keeps every statement passes every check', async (t) => {
  const server = await startSmallServer();
  const options = { partnerId: 'kit', username: 'ann', write: true, timeoutMs: 2000, maxRequests: 600 };
  const kit = new Kit({ baseUrl: server.origin, httpsBaseUrl: server.secureOrigin, ...options });
  const wrong: unknown[] = [];
  t.after(async () => {
    kit.close();
    await server.close();
  });
  for await (const result of runChecks(kit, SECTIONS))
    if (result.outcome !== 'pass' && result.id !== 'rule-1-https') wrong.push(result);
  assert.deepEqual(wrong, []);
  assert.ok(kit.requests < 450, `${kit.requests} requests`);
});
