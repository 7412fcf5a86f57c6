import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { deviceKey } from '../../src/core/accounts/devices/devices.ts';
import { memberKeys } from '../../src/core/accounts/keys.ts';
import { listPartners } from '../../src/core/accounts/partners/partners.ts';
import { Aliases } from '../../src/core/directory/lookup/by-any-id.ts';
import { browseEndpoints } from '../../src/protocols/radiotime/browse/browse.ts';
import { SavedItems } from '../../src/protocols/radiotime/call/saved-items.ts';
import { describe } from '../../src/protocols/radiotime/describe/describe.ts';
import { presetEndpoints } from '../../src/protocols/radiotime/preset/preset.ts';
import { search } from '../../src/protocols/radiotime/search/search.ts';
import { ask, type BrowseApp, browseApp } from '../apps/browse-app.ts';
import { testApp } from '../apps/http-server.ts';

let browse: BrowseApp;
let app: FastifyInstance;
before(async () => {
  browse = await browseApp();
  const { pool } = browse.database;
  const keys = memberKeys('k'.repeat(40));
  const { scope, hash } = deviceKey(keys, 'maker', '00:11:22');
  await pool.query('INSERT INTO devices (scope, serial_hash, account_id) VALUES ($1, $2, 8)', [scope, hash]);
  const logins = { verify: async () => undefined };
  const members = { pool, keys, logins, legacyCredentials: false };
  const deps = {
    directory: { current: () => browse.snapshot },
    db: pool,
    aliases: new Aliases(pool),
    members,
  };
  const saved = new SavedItems(pool, members);
  const partners = new Map((await listPartners(pool)).map((row) => [row.id, row]));
  const endpoints = [...browseEndpoints(deps), search(deps)].map((endpoint) => saved.marks(endpoint));
  const preset = presetEndpoints(deps).map((endpoint) => saved.changes(endpoint));
  const findPartner = (id: string) => partners.get(id);
  app = testApp([...endpoints, ...preset, ...describe({ ...deps, saved })], {
    findPartner,
    clock: browse.clock,
  }).app;
});
after(async () => {
  await app.close();
  await browse[Symbol.asyncDispose]();
});

/** The second answer: on a busy machine the first may not have waited for what is saved, and the second has it. */
async function marksIn(url: string): Promise<string[]> {
  await ask(app, url);
  // One connection after the other, so that what was asked before is answered.
  for (let turn = 0; turn < 3; turn += 1) await browse.database.pool.query('SELECT 1');
  const body = await ask(app, url);
  const ids = body.matchAll(
    /preset_id="([sp]\d+)" is_preset="true"|"preset_id":"([sp]\d+)","is_preset":"true"/g,
  );
  return [...ids].map(([, xml, json]) => xml ?? json ?? '');
}

const LISTS = {
  popular: '/Browse.ashx?c=popular',
  shows: '/Browse.ashx?id=g1000&filter=p',
};

test('a list says of what its caller has saved that it is, and of nothing else', async () => {
  assert.deepEqual(await marksIn(`${LISTS.popular}&username=ann&partnerId=maker`), ['s1']);
  assert.deepEqual(await marksIn(`${LISTS.popular}&username=BO`), ['s2']);
  assert.deepEqual(await marksIn(`${LISTS.shows}&username=ann`), ['p101']);
  assert.deepEqual(await marksIn(`${LISTS.shows}&username=ann&render=json`), ['p101']);
  assert.deepEqual(await marksIn(`${LISTS.popular}&username=ann&render=json`), ['s1']);
});

test('a device is its account; within its partner only', async () => {
  assert.deepEqual(await marksIn(`${LISTS.popular}&serial=001122&partnerId=maker`), ['s2']);
  assert.deepEqual(await marksIn(`${LISTS.popular}&serial=001122&partnerId=small`), []);
  assert.deepEqual(await marksIn(`${LISTS.popular}&serial=001122`), []);
});

test('what a device has just saved or removed is known to its next list', async () => {
  const device = 'serial=33-44&partnerId=maker';
  assert.deepEqual(await marksIn(`${LISTS.popular}&${device}`), []);
  assert.match(await ask(app, `/Preset.ashx?c=add&id=s1&${device}`), /<status>200</);
  assert.deepEqual(await marksIn(`${LISTS.popular}&${device}`), ['s1']);
  assert.match(await ask(app, `/Preset.ashx?c=remove&id=s1&${device}`), /<status>200</);
  assert.deepEqual(await marksIn(`${LISTS.popular}&${device}`), []);
});

test('nobody, who has nothing, and who is not to be read by name are told nothing', async () => {
  for (const who of ['', '&username=nobody', '&username=kim', '&username=shy', '&serial=9&partnerId=maker'])
    assert.deepEqual(await marksIn(`${LISTS.popular}${who}`), [], who);
});

test('a menu that is kept for all stays the same for others', async () => {
  const plain = await ask(app, LISTS.popular);
  assert.deepEqual(await marksIn(`${LISTS.popular}&username=ann`), ['s1']);
  assert.equal(await ask(app, LISTS.popular), plain);
  assert.doesNotMatch(plain, /is_preset/);
  assert.deepEqual(await marksIn(`${LISTS.popular}&username=bo`), ['s2']);
});

test('what is found says it too, and presets say it once', async () => {
  const { name } = browse.snapshot.stationById.get(1) ?? { name: '' };
  const query = encodeURIComponent(name);
  assert.ok((await marksIn(`/Search.ashx?query=${query}&username=ann`)).includes('s1'));
  const presets = await ask(app, '/Browse.ashx?c=presets&partnerId=maker&username=bo');
  assert.equal(presets.match(/is_preset/g)?.length, 1);
});

test('a description tells it at once, of stations and of shows', async () => {
  const told = async (query: string): Promise<string | undefined> =>
    /<is_preset>(\w+)</.exec(await ask(app, `/Describe.ashx?${query}`))?.[1];
  assert.equal(await told('id=s1&username=ann'), 'true');
  assert.equal(await told('id=s1&username=bo'), 'false');
  assert.equal(await told('id=s1'), 'false');
  assert.equal(await told('id=p101&username=ann'), 'true');
  assert.equal(await told('id=p102&username=ann'), 'false');
  const { pool } = browse.database;
  await pool.query("UPDATE presets SET item_id = 5 WHERE account_id = 8 AND kind = 's'");
  assert.equal(await told('id=s2&username=bo'), 'false');
  assert.equal(await told('id=s5&serial=00-11-22&partnerId=maker'), 'true');
  const json = await ask(app, '/Describe.ashx?id=s5&username=bo&render=json');
  assert.match(json, /"is_preset":true/);
  assert.doesNotMatch(json, /"is_preset":"true"/);
});

const isSaved = async (): Promise<boolean> =>
  /<is_preset>true</.test(await ask(app, '/Describe.ashx?id=s1&username=ann'));

test('a folder that was removed holds nothing any more', async () => {
  const { pool } = browse.database;
  assert.equal(await isSaved(), true);
  await pool.query('UPDATE folders SET removed_at = now() WHERE id = 1031');
  assert.equal(await isSaved(), false);
  await pool.query('UPDATE folders SET removed_at = NULL WHERE id = 1031');
});
