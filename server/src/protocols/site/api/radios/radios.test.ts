import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  codeOf,
  member,
  SITE_PASSWORD,
  type SiteApp,
  siteApp,
  type Visitor,
} from '../../../../../test/apps/site-app.ts';
import { MAX_CALLS } from '../../../../core/devices/recent-calls.ts';
import { purge } from '../../../../core/accounts/retention.ts';

let site: SiteApp;
before(async () => {
  site = await siteApp();
});
after(() => site[Symbol.asyncDispose]());

const pair = async (visitor: Visitor, serial: string): Promise<any> => {
  const { radios } = await visitor.send('POST', 'radios/pair', { code: await codeOf(site, serial) }, 201);
  return radios.filter(({ droppedAt }: { droppedAt: string | null }) => droppedAt === null).at(-1);
};
const addTo = (serial: string, id: string) => site.radio('Preset', { c: 'add', serial, id });
const presetsOfRadio = async (serial: string): Promise<string[]> => {
  const body = await site.radio('Browse', { c: 'presets', serial });
  return [...body.matchAll(/guide_id="(s\d+)"/g)].map(([, id = '']) => id);
};
const first = async (visitor: Visitor): Promise<string[]> =>
  (await visitor.get('presets')).folders[0].presets.map(({ guideId }: { guideId: string }) => guideId);

test('a radio is paired by its code: what it had comes behind, and it shows what the account has', async () => {
  const visitor = await member(site, 'Pairer');
  await addTo('one', 's5');
  await visitor.send('POST', 'presets', { guideId: 's1' }, 201);
  const code = await codeOf(site, 'one');
  const typed = `${code.slice(0, 4).toLowerCase()}-${code.slice(4)}`;
  await visitor.send('POST', 'radios/pair', { code: typed }, 201);
  assert.deepEqual(await first(visitor), ['s1', 's5']);
  assert.deepEqual(await presetsOfRadio('one'), ['s1', 's5']);
  assert.equal(
    (await visitor.ask('POST', 'radios/pair', { code })).json.error.field,
    'code',
    'a code is good once',
  );
});

test('an account has several radios, each with its name; the protocol still joins but one', async () => {
  const visitor = await member(site, 'Several');
  const kitchen = await pair(visitor, 'kitchen');
  const bath = await pair(visitor, 'bath');
  await visitor.send('PATCH', `radios/${kitchen.id}`, { name: 'Küche' });
  await visitor.send('PATCH', `radios/${bath.id}`, { name: 'Bad' });
  const { radios } = await visitor.get('radios');
  assert.deepEqual(
    radios.map(({ name }: { name: string }) => name),
    ['Küche', 'Bad'],
  );
  await visitor.send('DELETE', `radios/${kitchen.id}`, {});
  await addTo('bath', 's7');
  assert.deepEqual(await first(visitor), ['s7']);
  assert.deepEqual([await presetsOfRadio('bath'), await presetsOfRadio('kitchen')], [['s7'], []]);
  const { password } = await visitor.send('POST', 'me/device-password', {});
  const joined = await site.radio('Account', { c: 'join', username: 'several', password, serial: 'third' });
  assert.match(joined, /validation\.deviceExists/);
  await visitor.send('DELETE', `radios/${bath.id}`, {});
  assert.match(
    await site.radio('Account', { c: 'join', username: 'several', password, serial: 'third' }),
    /<status>200</,
  );
  assert.equal((await visitor.get('radios')).radios.filter((one: any) => one.droppedAt === null).length, 1);
});

test('a dropped radio can be taken back, unless it was used meanwhile or is an other’s', async () => {
  const visitor = await member(site, 'Dropper');
  const radio = await pair(visitor, 'dropped');
  await visitor.send('POST', 'presets', { guideId: 's2' }, 201);
  const { radios } = await visitor.send('DELETE', `radios/${radio.id}`, {});
  assert.ok(radios[0].droppedAt && /30/.test(radios[0].sentence));
  assert.deepEqual(await presetsOfRadio('dropped'), []);
  await visitor.send('POST', `radios/${radio.id}/undo`, {});
  assert.deepEqual(await presetsOfRadio('dropped'), ['s2']);
  await visitor.send('DELETE', `radios/${radio.id}`, {});
  await addTo('dropped', 's9');
  assert.equal((await visitor.ask('POST', `radios/${radio.id}/undo`, {})).json.error.code, 'site.usedSince');
  const other = await member(site, 'Buyer');
  await pair(other, 'dropped');
  assert.equal((await visitor.ask('POST', `radios/${radio.id}/undo`, {})).status, 409);
  assert.deepEqual(await first(other), ['s9']);
  assert.equal(
    (await visitor.ask('GET', `radios/${radio.id}/requests`)).json.requests.length,
    0,
    'nor is it watched',
  );
});

test('a join can be taken back: the radio has what it had', async () => {
  const visitor = await member(site, 'Rejoiner');
  await addTo('mine', 's3');
  const radio = await pair(visitor, 'mine');
  await visitor.send('POST', 'presets', { guideId: 's4' }, 201);
  await visitor.send('POST', `radios/${radio.id}/undo`, {});
  assert.deepEqual(await presetsOfRadio('mine'), ['s3']);
  assert.deepEqual(await first(visitor), ['s3', 's4'], 'the account keeps what was copied');
});

/** As if so many radios had come and gone within thirty days. */
const cameAndWent = (username: string, count: number) =>
  site.database.pool.query(
    `INSERT INTO account_devices (account_id, scope, serial_hash, joined_at, dropped_at)
     SELECT id, 'maker', sha256(n::text::bytea), now() - interval '2 days', now() - interval '1 day'
     FROM accounts, generate_series(1, $2::int) AS n WHERE username = $1`,
    [username, count],
  );

test('a radio is seen and can be closed with its account, however many came and went before', async () => {
  const visitor = await member(site, 'Tinkerer');
  await cameAndWent('Tinkerer', 120);
  const radio = await pair(visitor, 'hundredth');
  assert.ok(radio, 'it is listed');
  await addTo('hundredth', 's6');
  assert.deepEqual(await first(visitor), ['s6']);
  await visitor.send('PATCH', `radios/${radio.id}`, { name: 'Attic' });
  await visitor.send('DELETE', 'me', { password: SITE_PASSWORD });
  await site.database.pool.query(
    "UPDATE accounts SET closed_at = now() - interval '31 days' WHERE username = 'Tinkerer'",
  );
  assert.ok(await purge(site.database.pool));
  assert.match(await addTo('hundredth', 's8'), /<status>200</);
  assert.deepEqual(await presetsOfRadio('hundredth'), ['s8'], 'it begins anew');
});

test('an account has fifty radios at most, also when two are paired at once', async () => {
  const visitor = await member(site, 'Collector');
  await cameAndWent('Collector', 49);
  await site.database.pool.query(
    "UPDATE account_devices SET dropped_at = NULL FROM accounts WHERE id = account_id AND username = 'Collector'",
  );
  const codes = [
    await codeOf(site, 'fiftieth'),
    await codeOf(site, 'one more'),
    await codeOf(site, 'and one'),
  ];
  const statuses = await Promise.all(
    codes.map(async (code) => (await visitor.ask('POST', 'radios/pair', { code })).status),
  );
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [201, 409, 409],
  );
});

test('the last calls of a radio are kept for its owner, the newest first, with their answers', async () => {
  const visitor = await member(site, 'Watcher');
  const radio = await pair(visitor, 'watched serial');
  for (let n = 0; n < MAX_CALLS; n++) await site.radio('Browse', { c: 'presets', serial: 'watched serial' });
  await site.radio('Preset', { c: 'add', id: 's1', serial: 'watched serial', text: 'secret words' });
  await site.radio('Preset', { c: 'add', id: 'x', serial: 'watched serial' });
  await site.diary.write();
  const { requests } = await visitor.get(`radios/${radio.id}/requests`);
  assert.equal(requests.length, MAX_CALLS);
  assert.partialDeepStrictEqual(requests.slice(0, 3), [
    { what: 'Preset add', status: 400, code: 'request.idInvalid' },
    { what: 'Preset add s1', status: 200, answer: 'OK' },
    { what: 'Browse presets', status: 200 },
  ]);
  assert.match(requests[0].answer, /^Invalid ID: /);
  const { rows } = await site.database.pool.query('SELECT calls::text FROM account_devices');
  assert.ok(!/watched|secret/.test(JSON.stringify(rows)));
  const [shown] = (await visitor.get('radios')).radios;
  assert.deepEqual([shown.partner, shown.isWell, shown.sentence], ['A maker', true, 'Everything works.']);
});

test('what a radio did is told in sentences, with names, in the language of its owner', async () => {
  const visitor = await member(site, 'Reader');
  const radio = await pair(visitor, 'told');
  const call = async (page: string, params: Record<string, string>): Promise<void> => {
    site.clock.advance({ seconds: 1 });
    await site.radio(page, { ...params, serial: 'told' });
  };
  await call('Browse', { c: 'presets' });
  await call('Browse', { c: 'presets' });
  await call('Preset', { c: 'add', id: 's1' });
  await call('Preset', { c: 'add', id: 'x' });
  await site.diary.write();
  const { acts } = await visitor.get(`radios/${radio.id}/requests`);
  const { rows } = await site.database.pool.query('SELECT name FROM stations WHERE id = 1');
  const { name } = rows[0];
  assert.deepEqual(
    acts.slice(0, 3).map(({ at: _at, ...act }: { at: string }) => act),
    [
      {
        sentence: 'Changed your presets',
        count: 1,
        key: 'preset',
        trouble: 'What it asked for is no longer in the directory. Choose it again from the menu.',
      },
      { sentence: `Saved ${name} as a preset`, count: 1, key: 'preset' },
      { sentence: 'Opened your presets', count: 2, key: 'preset' },
    ],
  );
});

test('calls under two spellings of a serial are calls of one radio', async () => {
  const visitor = await member(site, 'Speller');
  const radio = await pair(visitor, '00:11:aa');
  for (const [serial, id] of [
    ['00:11:aa', 's1'],
    ['0011AA', 's2'],
    ['00:11:aa', 's3'],
    ['0011AA', 's4'],
  ]) {
    site.clock.advance({ seconds: 1 });
    await site.radio('Preset', { c: 'add', id: id!, serial: serial! });
  }
  await site.diary.write();
  const { requests } = await visitor.get(`radios/${radio.id}/requests`);
  assert.deepEqual(
    requests.slice(0, 4).map(({ what }: { what: string }) => what),
    ['Preset add s4', 'Preset add s3', 'Preset add s2', 'Preset add s1'],
  );
});

test('a radio that is refused again and again, or silent, is not well, and says why', async () => {
  const visitor = await member(site, 'Unwell');
  await pair(visitor, 'unwell');
  for (let n = 0; n < 3; n++) await site.radio('Preset', { c: 'add', id: 'x', serial: 'unwell' });
  await site.diary.write();
  const [bad] = (await visitor.get('radios')).radios;
  assert.equal(bad.isWell, false);
  assert.match(bad.sentence, /refused its last calls: What it asked for is no longer in the directory/);
  site.clock.advance({ hours: 20 * 24 + 1 });
  const [quiet] = (await visitor.get('radios')).radios;
  assert.deepEqual([quiet.isWell, /20 days/.test(quiet.sentence)], [false, true]);
});

test('of a radio that is no account’s nothing is written down', async () => {
  await addTo('anonymous', 's1');
  const { rows: had } = await site.database.pool.query('SELECT * FROM account_devices');
  await site.diary.write();
  const { rows } = await site.database.pool.query('SELECT * FROM account_devices');
  assert.deepEqual(rows, had);
});

test('codes are tried a few times an hour', async () => {
  const visitor = await member(site, 'Guesser');
  const statuses = [];
  for (let n = 0; n < 22; n++)
    statuses.push((await visitor.ask('POST', 'radios/pair', { code: `GUESS${n}` })).status);
  assert.deepEqual(
    [statuses.slice(0, 20).every((status) => status === 400), statuses.slice(20)],
    [true, [429, 429]],
  );
});
