import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type Server, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AccountApp, accountApp, outcomeOf, registration } from '../../../../test/apps/account-app.ts';
import {
  type MailServer,
  type ReceivedMail,
  openMailServer,
  postTo,
} from '../../../../test/servers/mail-server.ts';
import { createLog } from '../../../lib/log.ts';

const logLines: string[] = [];
const log = createLog({ level: 'warn', sink: { write: (line) => void logLines.push(line) } });
const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
};

let mail: MailServer;
let received: ReceivedMail[];
let app: AccountApp;
before(async () => {
  mail = await openMailServer();
  ({ received } = mail);
  app = await accountApp({ mailer: mail.mailer });
  for (const name of ['Ann', 'Bo', 'Cy']) await app.post(registration(name));
});
after(async () => {
  await app?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
});

async function waitFor(count: number): Promise<void> {
  for (let tries = 0; tries < 200 && received.length < count; tries++) await sleep(20);
  assert.equal(received.length, count);
}

test('a forgotten name is sent to its address, and the answer is the same for an address of nobody', async () => {
  received.length = 0;
  const known = await app.post({ c: 'remind', email: 'ANN@mail.example' });
  const unknown = await app.post({ c: 'remind', email: 'nobody@mail.example' });
  assert.equal(outcomeOf(known), '200');
  assert.equal(known.body, unknown.body);
  await waitFor(1);
  assert.deepEqual(received[0]?.to, ['ann@mail.example']);
  assert.match(received[0]?.text ?? '', /From: radio@radio\.test[^]*Your username[^]*username is Ann/);
});

test('a new password is sent, works once it is used, and until then the old one does', async () => {
  received.length = 0;
  const sign = (password: string) => app.post({ c: 'auth', username: 'bo', password });
  assert.equal(outcomeOf(await app.post({ c: 'reset', username: 'BO' })), '200');
  assert.equal(outcomeOf(await app.post({ c: 'reset', username: 'nobody1' })), '200');
  await waitFor(1);
  const [, password = ''] = /password is ([A-Z2-9]{12})/.exec(received[0]?.text ?? '') ?? [];
  assert.equal(password.length, 12);
  assert.equal(outcomeOf(await sign('Secret1!')), '200');
  assert.equal(outcomeOf(await sign(password)), '200');
  assert.equal(outcomeOf(await sign('Secret1!')), '401 validation.credentials');
  assert.equal(outcomeOf(await sign(password)), '200');
  const { rows } = await app.database.pool.query("SELECT password_hash FROM accounts WHERE username = 'Bo'");
  assert.doesNotMatch(JSON.stringify(rows), new RegExp(password));
});

test('a mailbox gets three letters an hour, however they are asked for', async () => {
  received.length = 0;
  for (let n = 0; n < 3; n++) await app.post({ c: 'remind', email: 'cy@mail.example' });
  for (let n = 0; n < 3; n++) await app.post({ c: 'reset', email: 'cy@mail.example' });
  await app.post({ c: 'remind', email: 'ann@mail.example' });
  await waitFor(4);
  assert.equal(received.filter(({ to }) => to.includes('cy@mail.example')).length, 3);
});

test('what is missing or malformed is a 400', async () => {
  assert.equal(outcomeOf(await app.post({ c: 'remind' })), '400 validation.email');
  assert.equal(outcomeOf(await app.post({ c: 'remind', email: 'ann' })), '400 validation.email');
  assert.equal(outcomeOf(await app.post({ c: 'reset' })), '400 request.invalid');
  assert.equal(outcomeOf(await app.post({ c: 'reset', email: 'ann@' })), '400 validation.email');
});

test('a service without a mail server says what its operator must do', async () => {
  await using bare = await accountApp();
  const answer = await bare.post({ c: 'remind', email: 'ann@mail.example' });
  assert.equal(outcomeOf(answer), '503 service.unavailable');
  assert.match(answer.body, /MAIL_URL and MAIL_FROM/);
});

/** A server that takes connections and says nothing. */
async function silentServer(): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => socket.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

test('a dead or a silent mail server delays no answer, is told to the operator, and is given up', async () => {
  const silent = await silentServer();
  const silentPort = portOf(silent);
  const gone = await silentServer();
  const gonePort = portOf(gone);
  gone.close();
  for (const port of [gonePort, silentPort]) {
    using failing = postTo(port, log, { silenceMs: 3000, mailMs: 6000 });
    await using other = await accountApp({ mailer: failing });
    await other.post(registration('Ann'));
    logLines.length = 0;
    const started = performance.now();
    assert.equal(outcomeOf(await other.post({ c: 'remind', email: 'ann@mail.example' })), '200');
    assert.ok(performance.now() - started < 2500);
    for (let tries = 0; tries < 1000 && logLines.length === 0; tries++) await sleep(20);
    assert.match(logLines.join('\n'), /a mail could not be sent; check MAIL_URL/);
    assert.doesNotMatch(logLines.join('\n'), /ann@mail/);
  }
  silent.close();
});

test('a full queue is refused with a time to wait, for known and unknown alike', async () => {
  const silent = await silentServer();
  using stuck = postTo(portOf(silent), log);
  await using other = await accountApp({ mailer: stuck });
  await other.post(registration('Ann'));
  const statuses: number[] = [];
  let last = '';
  for (let n = 0; n < 110; n++) {
    const email = n % 2 === 0 ? 'ann@mail.example' : 'nobody@mail.example';
    const answer = await other.post({ c: 'remind', email });
    statuses.push(answer.statusCode);
    last = String(answer.headers['retry-after']);
  }
  assert.equal(statuses[0], 200);
  assert.deepEqual(statuses.slice(-2), [503, 503]);
  assert.equal(last, '300');
  silent.close();
});
