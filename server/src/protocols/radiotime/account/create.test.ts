import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AccountApp, accountApp, outcomeOf, registration } from '../../../../test/apps/account-app.ts';
import { BUDGETS } from '../../../core/accounts/budgets.ts';

let app: AccountApp;
before(async () => {
  app = await accountApp();
});
after(() => app[Symbol.asyncDispose]());

const countryId = async (code: string): Promise<string> => {
  const { rows } = await app.database.pool.query('SELECT id FROM countries WHERE code = $1', [code]);
  return `n${rows[0].id}`;
};
const countOf = async (table: string): Promise<number> => {
  const { rows } = await app.database.pool.query(`SELECT count(*) FROM ${table}`);
  return rows[0].count;
};

const MALFORMED: [what: string, more: Record<string, string>, outcome: string][] = [
  ['no partner', { partnerId: '' }, '400 partner.required'],
  ['an unknown partner', { partnerId: 'stranger' }, '403 partner.invalid'],
  ['no username', { username: '' }, '400 validation.error'],
  ['a username of 13 characters', { username: 'abcdefghijklm' }, '400 validation.error'],
  ['a username with a symbol', { username: 'ann_1' }, '400 validation.error'],
  ['a username with an accent', { username: 'änn' }, '400 validation.error'],
  ['a reserved username', { username: 'Admin' }, '400 validation.error'],
  ['a bad username before a bad password', { username: '%', password: '' }, '400 validation.error'],
  ['no password', { password: '' }, '400 validation.password'],
  ['a password of 3 characters', { password: 'abc' }, '400 validation.password'],
  ['a password of 13 characters', { password: 'abcdefghijklm' }, '400 validation.password'],
  ['a password with a space', { password: 'ab cd' }, '400 validation.password'],
  ['a password with an accent', { password: 'pässe' }, '400 validation.password'],
  ['a bad password before a bad email', { password: '', email: '' }, '400 validation.password'],
  ['no email', { email: '' }, '400 validation.email'],
  ['an email without a dot', { email: 'ann@mail' }, '400 validation.email'],
  ['two emails', { email: 'a@b.example,c@d.example' }, '400 validation.email'],
  ['an email with a name', { email: 'Ann <ann@mail.example>' }, '400 validation.email'],
  ['a bad email before a bad place', { email: 'x', postalCode: '' }, '400 validation.email'],
  ['no place', { postalCode: '' }, '400 validation.location'],
  ['a postal code that is none', { postalCode: '00000' }, '400 validation.location'],
  ['a city without a country', { postalCode: '', city: 'Cork' }, '400 validation.location'],
  [
    'a country that is none',
    { postalCode: '', city: 'Cork', countryId: 'n999999' },
    '400 validation.location',
  ],
  ['a region as a country', { postalCode: '', city: 'Cork', countryId: 'r1' }, '400 validation.location'],
];
for (const [what, more, outcome] of MALFORMED) {
  test(`${what} is refused with ${outcome}, and nothing is made`, async () => {
    const accounts = await countOf('accounts');
    const response = await app.post({ ...registration('dora'), ...more });
    assert.equal(outcomeOf(response), outcome, response.body);
    assert.equal(response.statusCode, 200);
    assert.match(response.body, /<fault>[^<]{20,}<\/fault>/);
    assert.equal(await countOf('accounts'), accounts);
  });
}

test('the shortest and the longest names and passwords are taken', async () => {
  for (const [username, password] of [
    ['a', 'abcd'],
    ['abcdefghijkl', '!~\'<>&"%+=?#'],
  ] as const) {
    assert.equal(outcomeOf(await app.post(registration(username, { password }))), '200');
    assert.equal(outcomeOf(await app.post({ c: 'auth', username, password })), '200');
  }
});

test('an account has its place, its time zone and one folder, and signs in', async () => {
  const response = await app.post(
    registration('Erin', { postalCode: '', city: 'Cork', countryId: await countryId('IE') }),
  );
  assert.equal(outcomeOf(response), '200');
  assert.doesNotMatch(response.body, /<outline/);
  const { rows } = await app.database.pool.query(
    `SELECT a.id, username, email, a.zone, round(a.latitude) AS lat, r.name AS region, c.code AS country, folder_count,
       password_hash, device_hash
     FROM accounts AS a JOIN countries AS c ON c.id = a.country_id JOIN regions AS r ON r.id = a.region_id
     WHERE username = 'Erin'`,
  );
  const { id, password_hash: hash, ...row } = rows[0];
  assert.deepEqual(row, {
    username: 'Erin',
    email: 'erin@mail.example',
    zone: 'Europe/Dublin',
    lat: 52,
    region: 'Cork',
    country: 'IE',
    folder_count: 1,
    device_hash: null,
  });
  assert.match(hash, /^1\$\$argon2id\$v=19\$/);
  const folders = await app.database.pool.query('SELECT is_default FROM folders WHERE account_id = $1', [id]);
  assert.deepEqual(folders.rows, [{ is_default: true }]);
  assert.equal(outcomeOf(await app.post({ c: 'auth', username: 'ERIN', password: 'Secret1!' })), '200');
});

const PLACES: [what: string, fields: Record<string, string>, code: string, zone: string][] = [
  ['a ZIP code', { postalCode: '90210' }, '', 'America/Los_Angeles'],
  ['a Canadian postal code', { postalCode: 'k1a 0b1' }, '', 'America/Toronto'],
  [
    'a postal code of elsewhere beside a city',
    { postalCode: '10115', city: 'Berlin' },
    'DE',
    'Europe/Berlin',
  ],
];
for (const [index, [what, fields, code, zone]] of PLACES.entries()) {
  test(`${what} is a place`, async () => {
    const country = code === '' ? {} : { countryId: await countryId(code) };
    const username = `place${index}`;
    assert.equal(outcomeOf(await app.post(registration(username, { ...fields, ...country }))), '200');
    const { rows } = await app.database.pool.query('SELECT zone FROM accounts WHERE username = $1', [
      username,
    ]);
    assert.equal(rows[0].zone, zone);
  });
}

test('a city beside a postal code of elsewhere is no place, and one that is there is', async () => {
  const lost = registration('lost2', { postalCode: '90210', city: 'Boston' });
  assert.equal(outcomeOf(await app.post(lost)), '400 validation.location');
  const found = registration('found2', { postalCode: '90210', city: 'Beverly Hills' });
  assert.equal(outcomeOf(await app.post(found)), '200');
});

test('a ZIP code in Canada is no place', async () => {
  const fields = registration('lost', { postalCode: '90210', countryId: await countryId('CA') });
  assert.equal(outcomeOf(await app.post(fields)), '400 validation.location');
});

test('a name and an address are given once, in capitals or not, the name first', async () => {
  assert.equal(outcomeOf(await app.post(registration('Fay'))), '200');
  const sameName = registration('FAY', { email: 'other@mail.example' });
  assert.equal(outcomeOf(await app.post(sameName)), '400 validation.userNameExists');
  const sameEmail = registration('fay2', { email: 'FAY@mail.example' });
  assert.equal(outcomeOf(await app.post(sameEmail)), '400 validation.emailExists');
  assert.equal(outcomeOf(await app.post(registration('fay2', { email: 'fay2@mail.example' }))), '200');
  const both = registration('fay', { email: 'FAY@mail.example', password: 'another1' });
  assert.equal(outcomeOf(await app.post(both)), '400 validation.userNameExists');
});

test('the same once more within ten minutes is answered alike, later or otherwise not', async () => {
  const accounts = await countOf('accounts');
  assert.equal(outcomeOf(await app.post(registration('gus'))), '200');
  assert.equal(outcomeOf(await app.post(registration('Gus'))), '200');
  assert.equal(await countOf('accounts'), accounts + 1);
  const otherwise = registration('gus', { password: 'Secret2!' });
  assert.equal(outcomeOf(await app.post(otherwise)), '400 validation.userNameExists');
  app.clock.advance({ minutes: 11 });
  assert.equal(outcomeOf(await app.post(registration('gus'))), '400 validation.userNameExists');
});

test('twenty at once for one name make one account', async () => {
  const accounts = await countOf('accounts');
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      app.post(registration('race', { email: `race${n}@mail.example`, password: `pass${n}` })),
    ),
  );
  const outcomes = answers.map(outcomeOf);
  assert.equal(outcomes.filter((outcome) => outcome === '200').length, 1);
  assert.equal(outcomes.filter((outcome) => outcome === '400 validation.userNameExists').length, 19);
  assert.equal(await countOf('accounts'), accounts + 1);
  assert.equal(await countOf('usernames'), await countOf('emails'));
});

test('a network makes five an hour and twenty a day, whatever its headers say', async () => {
  await using limited = await accountApp({ budgets: BUDGETS });
  const create = (n: number, address: string) =>
    limited.post(registration(`user${n}`), {
      'x-forwarded-for': `203.0.113.${n}, ${address}`,
      'x-real-ip': `203.0.113.${n}`,
    });
  const statuses: number[] = [];
  for (let n = 0; n < 6; n++) statuses.push((await create(n, `192.0.2.${n + 1}`)).statusCode);
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
  const refused = await create(7, '192.0.2.99');
  assert.equal(outcomeOf(refused), '429 request.tooMany');
  assert.ok(Number(refused.headers['retry-after']) > 600);
  assert.equal((await create(8, '198.51.100.1')).statusCode, 200, 'another network');
  let made = 5;
  for (let hour = 1; hour < 12; hour++) {
    limited.clock.advance({ hours: 1 });
    for (let n = 0; n < 6; n++)
      if ((await create(100 + hour * 10 + n, '192.0.2.1')).statusCode === 200) made += 1;
  }
  assert.ok(made >= 20 && made <= 30, `${made} in eleven hours: twenty and what half a day gives back`);
});
