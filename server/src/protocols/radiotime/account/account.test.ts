import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AccountApp, accountApp, outcomeOf, registration } from '../../../../test/apps/account-app.ts';
import { testApp } from '../../../../test/apps/http-server.ts';
import { accountEndpoints } from './account.ts';

let app: AccountApp;
before(async () => {
  app = await accountApp();
  await app.post(registration('Ann'));
});
after(() => app[Symbol.asyncDispose]());

const ANN = { username: 'ann', password: 'Secret1!' };
const ACTIONS = ['auth', 'create', 'join', 'drop', 'query', 'claim', 'remind', 'reset'];

test('who signs in gets 200 and, in JSON, three items of which the first has the account', async () => {
  const xml = await app.post({ c: 'auth', ...ANN });
  assert.equal(outcomeOf(xml), '200');
  const { head, body } = (await app.post({ c: 'auth', render: 'json', ...ANN })).json();
  assert.equal(head.status, '200');
  assert.equal(body.length, 3);
  assert.match(body[0].AccountId, /^\d+$/);
  assert.equal(body[1].text, 'Ann');
  assert.equal(xml.headers['cache-control'], 'private, no-cache, no-store');
});

const WRONG: [what: string, fields: Record<string, string>][] = [
  ['a wrong password', { username: 'ann', password: 'Secret2!' }],
  ['a password in other letters', { username: 'ann', password: 'secret1!' }],
  ['an unknown name', { username: 'nobody1', password: 'Secret1!' }],
  ['a pattern for a name', { username: '%', password: 'Secret1!' }],
  ['a name with something behind it', { username: 'ann ', password: 'Secret1!' }],
  ['no password', { username: 'ann' }],
  ['no name', { password: 'Secret1!' }],
];
for (const [what, fields] of WRONG) {
  test(`${what} is refused with 401`, async () => {
    const response = await app.post({ c: 'auth', ...fields });
    assert.equal(outcomeOf(response), '401 validation.credentials');
    assert.equal(response.statusCode, 200);
    assert.match(response.body, /<fault>[^<]+<\/fault>/);
  });
}

test('the old page takes its parameters in the address', async () => {
  const page = '/Authenticate.ashx?partnerId=maker&username=ann&password=';
  assert.equal(outcomeOf(await app.get(`${page}Secret1!`)), '200');
  assert.equal(outcomeOf(await app.get(`${page}wrong`)), '401 validation.credentials');
  assert.equal(
    outcomeOf(await app.get('/Authenticate.ashx?username=ann&password=x')),
    '400 partner.required',
  );
  const plain = await app.get(`${page}Secret1!`, { 'x-forwarded-proto': 'http' });
  assert.equal(outcomeOf(plain), '403 request.insecure');
});

for (const c of ACTIONS) {
  test(`${c} needs a partner, then HTTPS, then a form, in this order`, async () => {
    const plain = { 'x-forwarded-proto': 'http' };
    const url = `/Account.ashx?c=${c}&username=ann&password=Secret1!&serial=1`;
    assert.equal(outcomeOf(await app.get(url, plain)), '400 partner.required');
    assert.equal(outcomeOf(await app.get(`${url}&partnerId=stranger`, plain)), '403 partner.invalid');
    const refused = await app.get(`${url}&partnerId=maker`, plain);
    assert.equal(outcomeOf(refused), '403 request.insecure');
    assert.match(refused.body, /Use HTTPS/);
    assert.equal(refused.headers.location, undefined, 'never sent on');
    const inAddress = await app.get(`${url}&partnerId=maker`);
    assert.equal(outcomeOf(inAddress), '403 request.insecure');
    assert.match(inAddress.body, /body of a POST/);
    for (const { body } of [refused, inAddress]) assert.doesNotMatch(body, /Secret1/);
  });
}

test('an action that there is none of is an unknown method', async () => {
  assert.equal(outcomeOf(await app.post({ c: 'constructor' })), '404 api.methodNotFound');
  assert.equal(outcomeOf(await app.post({})), '404 api.methodNotFound');
});

test('an operator at home can take passwords in the clear', async () => {
  await using home = await accountApp({ legacyCredentials: true });
  const plain = { 'x-forwarded-proto': 'http' };
  assert.equal(outcomeOf(await home.post(registration('Ann'), plain)), '200');
  const url = '/Account.ashx?c=auth&partnerId=maker&username=ann&password=Secret1!';
  assert.equal(outcomeOf(await home.get(url, plain)), '200');
});

test('a service without a key says what its operator must do', async () => {
  const { app: bare } = testApp(accountEndpoints({}));
  for (const c of ACTIONS) {
    const { body, statusCode } = await bare.inject({ url: `/Account.ashx?c=${c}&partnerId=maker` });
    assert.equal(statusCode, 200);
    assert.equal(outcomeOf({ body }), '503 service.unavailable');
    assert.match(body, /MEMBER_KEY.*longwave config key/);
  }
});

test('neither a password nor an address of a mailbox is in the log', () => {
  assert.ok(app.logLines.length > 20);
  assert.doesNotMatch(app.logLines.join('\n'), /Secret|ann@mail|username/i);
});
