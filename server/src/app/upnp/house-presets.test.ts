import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type UpnpApp, upnpApp } from '../../../test/apps/upnp-app.ts';
import { openHousePresets } from './house-presets.ts';
import { udnOf } from './upnp-server.ts';

let app: UpnpApp;
before(async () => (app = await upnpApp()));
after(() => app?.[Symbol.asyncDispose]());

const idsOf = async (name: string | undefined): Promise<string[] | undefined> => {
  const saved = await openHousePresets(name, app.database.pool, { current: app.snapshot });
  return (await saved())?.flatMap(({ items }) => items.map(({ id }) => id));
};

test('presets are those of the account that is named, as long as its owner lets others read them by name', async () => {
  const { pool } = app.database;
  const { rows } = await pool.query('SELECT username FROM accounts WHERE id = 7');
  const name = String(rows[0].username);
  await pool.query('INSERT INTO usernames (username_key, account_id) VALUES ($1, 7) ON CONFLICT DO NOTHING', [
    name.toLowerCase(),
  ]);
  assert.equal(await idsOf(undefined), undefined);
  assert.ok((await idsOf(name.toUpperCase()))?.includes('s1'));
  await pool.query('UPDATE accounts SET readable_by_name = false WHERE id = 7');
  assert.equal(await idsOf(name), undefined);
  await pool.query('UPDATE accounts SET readable_by_name = true, closed_at = now() WHERE id = 7');
  assert.equal(await idsOf(name), undefined);
  await assert.rejects(idsOf('nobody'), /UPNP_ACCOUNT: there is no account "nobody"/);
});

test('the server is the same after every start, and another on another port', () => {
  const own = udnOf({ upnpUuid: undefined, upnpPort: 8706 });
  assert.match(own, /^uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  assert.equal(udnOf({ upnpUuid: undefined, upnpPort: 8706 }), own);
  assert.notEqual(udnOf({ upnpUuid: undefined, upnpPort: 8707 }), own);
  assert.equal(udnOf({ upnpUuid: 'x', upnpPort: 1 }), 'uuid:x');
});
