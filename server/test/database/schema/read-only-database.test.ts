import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { requireSameKey } from '../../../src/core/accounts/key-state.ts';
import { memberKeys } from '../../../src/core/accounts/keys.ts';
import { MEMBER_KEY } from '../../apps/account-app.ts';
import { onServer } from '../database-server.ts';
import { startService } from '../../processes/service-process.ts';
import { member, type SiteApp, siteApp, type Visitor } from '../../apps/site-app.ts';

let site: SiteApp;
let visitor: Visitor;
before(async () => {
  site = await siteApp();
  await requireSameKey(site.database.pool, memberKeys(MEMBER_KEY));
  visitor = await member(site, 'Reader');
  await visitor.send('POST', 'presets', { guideId: 's1' }, 201);
  await site.radio('Preset', { c: 'add', id: 's2', serial: 'abc' });
  await site.database.pool.query("UPDATE site_sessions SET seen_at = seen_at - interval '2 hours'");
  await becomeReadOnly(site.database.url);
});
after(() => site[Symbol.asyncDispose]());

/** As a standby that the service was sent to: it answers, and writes nothing. */
async function becomeReadOnly(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await onServer(async (client) => {
    await client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
  });
  await assert.rejects(site.database.pool.query('CREATE TABLE x ()'), { code: '25006' });
}

test('who is signed in reads on, though it cannot be noted that they came by', async () => {
  const { folders } = await visitor.get('presets');
  assert.match(JSON.stringify(folders), /"s1"/);
  const { account } = await visitor.get('session');
  assert.equal(account?.username, 'Reader');
});

test('who saves is told to come back: 503 with Retry-After at the site, and in the document to a radio', async () => {
  const { status, json, response } = await visitor.ask('POST', 'presets', { guideId: 's3' });
  assert.deepEqual([status, json.error.code], [503, 'service.unavailable']);
  assert.match(String(response.headers['retry-after']), /^\d+$/);
  const answer = await site.radio('Preset', { c: 'add', id: 's3', serial: 'abc' });
  assert.match(answer, /<status>503<\/status>/);
  assert.match(answer, /service\.unavailable/);
});

test('longwave serve starts', async () => {
  await using service = await startService(site.database.url, { MEMBER_KEY });
  const menu = await fetch(`${service.origin}/Browse.ashx`);
  assert.match(await menu.text(), /<status>200</);
});
