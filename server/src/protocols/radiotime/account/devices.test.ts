import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AccountApp, accountApp, outcomeOf, registration } from '../../../../test/apps/account-app.ts';
import { findAccountIdByUsername } from '../../../core/accounts/accounts.ts';
import { deviceKey, openDevice } from '../../../core/accounts/devices/devices.ts';
import { listFolders } from '../../../core/accounts/presets/folders.ts';

let app: AccountApp;
before(async () => {
  app = await accountApp();
  for (const name of ['Ann', 'Bo', 'Cy', 'Di', 'Ed']) await app.post(registration(name));
});
after(() => app[Symbol.asyncDispose]());

const device = (serial: string) => deviceKey(app.members.keys, 'maker', serial);
const as = (username: string) => ({ username, password: 'Secret1!' });
const accountOf = async (username: string): Promise<number> =>
  (await findAccountIdByUsername(app.database.pool, username)) ?? 0;

/** Saves stations by number, and addresses by text, in the default folder. */
async function save(accountId: number, items: (number | string)[]): Promise<void> {
  const { pool } = app.database;
  const [folder] = await listFolders(pool, accountId);
  for (const [index, item] of items.entries()) {
    const kind = typeof item === 'number' ? 's' : 'u';
    await pool.query(
      `WITH new AS (SELECT nextval('preset_serials') * 1024 + $1::bigint % 1024 AS id)
       INSERT INTO presets (account_id, id, folder_id, position, kind, item_id, address)
       SELECT $1, id, $2, $3, $4, coalesce($5, id), $6 FROM new`,
      [accountId, folder?.id, index + 1, kind, kind === 's' ? item : null, kind === 'u' ? item : null],
    );
  }
  await pool.query('UPDATE folders SET last_position = $2 WHERE account_id = $1 AND is_default', [
    accountId,
    items.length,
  ]);
  await pool.query('UPDATE accounts SET preset_count = $2 WHERE id = $1', [accountId, items.length]);
}

/** Position and item of the default folder, in order. */
async function saved(accountId: number): Promise<(string | number)[][]> {
  const { rows } = await app.database.pool.query(
    `SELECT p.position, p.kind, p.item_id, p.address FROM presets AS p
     JOIN folders AS f ON f.account_id = p.account_id AND f.id = p.folder_id
     WHERE p.account_id = $1 AND f.is_default ORDER BY p.position`,
    [accountId],
  );
  return rows.map(({ position, kind, item_id: item, address }) => [position, kind === 'u' ? address : item]);
}

test('a device that nobody joined has no account to ask for and none to be dropped from', async () => {
  const query = await app.get('/Account.ashx?c=query&partnerId=maker&serial=00-01');
  assert.equal(outcomeOf(query), '400 validation.deviceNotAssociated');
  assert.match(query.body, /<fault>No associated account<\/fault>/);
  const drop = await app.get('/Account.ashx?c=drop&partnerId=maker&serial=00-01');
  assert.equal(outcomeOf(drop), '400 validation.deviceNotAssociated');
  const { rows } = await app.database.pool.query('SELECT count(*) FROM devices');
  assert.equal(rows[0].count, 0, 'nothing is written by who only asks');
});

test('joining copies what was saved on the device behind what the account has; the device keeps its own', async () => {
  const { pool } = app.database;
  const ann = await accountOf('ann');
  await save(ann, [10, 20, 'http://stream.example/a']);
  const anonymous = await openDevice(pool, device('aa:01'));
  await save(anonymous, [30, 20, 'http://stream.example/a', 'http://stream.example/b', 40]);
  assert.equal(outcomeOf(await app.post({ c: 'join', ...as('ann'), serial: 'AA-01' })), '200');
  assert.deepEqual(await saved(ann), [
    [1, 10],
    [2, 20],
    [3, 'http://stream.example/a'],
    [4, 30],
    [5, 'http://stream.example/b'],
    [6, 40],
  ]);
  const { rows } = await pool.query(
    'SELECT preset_count, (SELECT last_position FROM folders WHERE account_id = $1 AND is_default) FROM accounts WHERE id = $1',
    [ann],
  );
  assert.deepEqual(rows[0], { preset_count: 6, last_position: 6 });
  assert.equal((await saved(anonymous)).length, 5);
  assert.equal(await openDevice(pool, device('aa01')), ann, 'what is saved now is the account’s');
  const query = await app.get('/Account.ashx?c=query&partnerId=maker&serial=aa01&render=json');
  assert.deepEqual(
    query.json().body.map(({ text }: { text: string }) => text),
    ['Ann'],
  );
});

test('an account has one device, and a device one named account', async () => {
  for (const serial of ['aa01', 'bb02'])
    assert.equal(
      outcomeOf(await app.post({ c: 'join', ...as('ann'), serial })),
      '400 validation.deviceExists',
    );
  const other = await app.post({ c: 'join', ...as('bo'), serial: 'aa01' });
  assert.equal(outcomeOf(other), '400 validation.error');
  assert.match(other.body, /another account; drop it there first/);
  const create = await app.post(registration('fred', { serial: 'aa01' }));
  assert.equal(outcomeOf(create), '400 validation.error');
  assert.equal(await accountOf('fred'), 0, 'and no account is left behind');
});

test('a wrong password joins and drops nothing', async () => {
  for (const c of ['join', 'drop'])
    assert.equal(
      outcomeOf(await app.post({ c, username: 'bo', password: 'wrong1', serial: 'aa01' })),
      '401 validation.credentials',
    );
  assert.equal(await openDevice(app.database.pool, device('aa01')), await accountOf('ann'));
});

test('a name without its password drops nothing, though the serial alone would', async () => {
  for (const half of [{ username: 'ann' }, { password: 'Secret1!' }]) {
    const answer = await app.post({ c: 'drop', ...half, serial: 'aa01' });
    assert.equal(outcomeOf(answer), '401 validation.credentials');
    assert.equal(await openDevice(app.database.pool, device('aa01')), await accountOf('ann'));
  }
});

test('another account cannot drop the device; its own can, and keeps its presets', async () => {
  const bo = await app.post({ c: 'drop', ...as('bo'), serial: 'aa01' });
  assert.equal(outcomeOf(bo), '400 validation.deviceNotAssociated');
  assert.equal(outcomeOf(await app.post({ c: 'drop', ...as('ann'), serial: 'aa01' })), '200');
  const ann = await accountOf('ann');
  assert.equal((await saved(ann)).length, 6);
  const again = await app.post({ c: 'drop', ...as('ann'), serial: 'aa01' });
  assert.equal(outcomeOf(again), '400 validation.deviceNotAssociated');
  const fresh = await openDevice(app.database.pool, device('aa01'));
  assert.notEqual(fresh, ann);
  assert.deepEqual(await saved(fresh), [], 'the device is empty');
});

test('a device drops itself by its serial alone, and joins again', async () => {
  const join = { c: 'join', ...as('bo'), serial: 'bb02' };
  assert.equal(outcomeOf(await app.post(join)), '200');
  assert.equal(outcomeOf(await app.get('/Account.ashx?c=drop&partnerId=maker&serial=BB02')), '200');
  assert.equal(outcomeOf(await app.post(join)), '200');
});

test('join with what a registration has is still a join', async () => {
  const fields = { ...registration('di'), c: 'join', serial: 'dd04' };
  assert.equal(outcomeOf(await app.post(fields)), '200');
  const stranger = { ...registration('newcomer'), c: 'join', serial: 'dd05' };
  assert.equal(outcomeOf(await app.post(stranger)), '401 validation.credentials');
});

test('registering with a serial joins that device with what is on it', async () => {
  const anonymous = await openDevice(app.database.pool, device('gg07'));
  await save(anonymous, [7, 8]);
  assert.equal(outcomeOf(await app.post(registration('Gil', { serial: 'gg07' }))), '200');
  assert.deepEqual(await saved(await accountOf('gil')), [
    [1, 7],
    [2, 8],
  ]);
  assert.equal(
    outcomeOf(await app.post({ c: 'join', ...as('gil'), serial: 'gg07' })),
    '400 validation.deviceExists',
  );
});

test('folders of one name become one, others are made, and what does not fit is left', async () => {
  const { pool } = app.database;
  const cy = await accountOf('cy');
  const anonymous = await openDevice(pool, device('cc03'));
  const addFolder = (id: number, name: string, position: number) =>
    pool.query(
      `WITH counted AS (UPDATE accounts SET folder_count = folder_count + 1 WHERE id = $1)
       INSERT INTO folders (account_id, id, name, position)
       VALUES ($1, nextval('folder_serials') * 1024 + $1::bigint % 1024, $2, $3)`,
      [id, name, position],
    );
  await addFolder(cy, 'Jazz', 2);
  await addFolder(anonymous, 'JAZZ', 2);
  await addFolder(anonymous, 'News', 3);
  await save(
    anonymous,
    Array.from({ length: 300 }, (_, n) => n + 1),
  );
  await save(
    cy,
    Array.from({ length: 300 }, (_, n) => n + 201),
  );
  assert.equal(outcomeOf(await app.post({ c: 'join', ...as('cy'), serial: 'cc03' })), '200');
  const folders = await listFolders(pool, cy);
  assert.deepEqual(
    folders.map(({ name }) => name),
    ['Favorites', 'Jazz', 'News'],
  );
  const items = await saved(cy);
  assert.equal(items.length, 500);
  assert.deepEqual(items[300], [301, 1], 'those it had already are not there twice');
  assert.deepEqual(items.at(-1), [500, 200]);
});

test('a code that a device shows joins it, once', async () => {
  const claim = await app.get('/Account.ashx?c=claim&partnerId=maker&serial=ee05&render=json');
  const [{ text }] = claim.json().body;
  const [code = ''] = /\b[A-HJKMNP-Z2-9]{8}\b/.exec(text) ?? [];
  assert.equal(code.length, 8, text);
  const { rows } = await app.database.pool.query(
    "SELECT encode(code_hash, 'escape') AS code FROM device_claims",
  );
  assert.ok(rows.every((row) => !row.code.includes(code)));
  const typed = `${code.slice(0, 4)}-${code.slice(4).toLowerCase()}`;
  assert.equal(
    outcomeOf(await app.post({ c: 'join', ...as('ed'), code: 'AAAAAAAA' })),
    '400 validation.error',
  );
  assert.equal(
    outcomeOf(await app.post({ c: 'join', ...as('bo'), code: typed })),
    '400 validation.deviceExists',
  );
  assert.equal(
    outcomeOf(await app.post({ c: 'join', ...as('ed'), code: typed })),
    '200',
    'a refused join used nothing up',
  );
  assert.match((await app.get('/Account.ashx?c=query&partnerId=maker&serial=EE05')).body, /text="Ed"/);
  await app.post({ c: 'drop', ...as('ed'), serial: 'ee05' });
  assert.equal(outcomeOf(await app.post({ c: 'join', ...as('ed'), code: typed })), '400 validation.error');
});

test('an old code joins nothing', async () => {
  const claim = await app.get('/Account.ashx?c=claim&partnerId=maker&serial=ee06&render=json');
  const [code = ''] = /\b[A-HJKMNP-Z2-9]{8}\b/.exec(claim.json().body[0].text) ?? [];
  await app.database.pool.query("UPDATE device_claims SET expires_at = now() - interval '1 second'");
  assert.equal(outcomeOf(await app.post({ c: 'join', ...as('ed'), code })), '400 validation.error');
});

test('what names no device says so', async () => {
  for (const c of ['query', 'claim', 'drop'])
    assert.equal(outcomeOf(await app.get(`/Account.ashx?c=${c}&partnerId=maker`)), '400 request.invalid');
  assert.equal(outcomeOf(await app.post({ c: 'join', ...as('ed') })), '400 request.invalid');
});

test('two accounts that join one device at the same moment: one has it', async () => {
  await app.post({ c: 'drop', ...as('ann'), serial: 'aa01' });
  for (let round = 0; round < 10; round++) {
    const serial = `race${round}`;
    const anonymous = await openDevice(app.database.pool, device(serial));
    await save(anonymous, [round + 1000]);
    const answers = await Promise.all(
      ['ann', 'ed'].map((name) => app.post({ c: 'join', ...as(name), serial })),
    );
    assert.deepEqual(answers.map(outcomeOf).toSorted(), ['200', '400 validation.error']);
    assert.equal(outcomeOf(await app.get(`/Account.ashx?c=drop&partnerId=maker&serial=${serial}`)), '200');
  }
});
