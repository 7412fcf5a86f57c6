import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type Socket, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestServer, startServer } from '../../../test/apps/http-server.ts';
import type { OpmlDocument } from '../../formats/opml/document.ts';
import { linkOutline } from '../../formats/opml/outlines.ts';
import type { Action, Endpoint } from '../../protocols/radiotime/call/endpoint.ts';

/** With its host and the serials of this test a line has some 200 bytes: menus of about 60 KB, 200 KB and 4 KB. */
const LINES = { middle: 300, large: 1000, short: 20 };
type Page = keyof typeof LINES;

function documentOf(page: Page): OpmlDocument {
  const line = (n: number) =>
    linkOutline(`${page} Ünïcode ${'.'.repeat(60)}`, {
      path: '/Browse.ashx',
      params: [['id', `g${n}`]],
      filter: 's',
    });
  return { title: page, outlines: Array.from({ length: LINES[page] }, (_, n) => line(n)) };
}

/** Two that are kept with blanks, and one that is put together for each call. */
const browse: Endpoint = {
  paths: ['/Browse.ashx'],
  actions: new Map<string, Action>([
    ['middle', () => ({ menu: 'middle', document: () => documentOf('middle') })],
    ['large', () => ({ menu: 'large', document: () => documentOf('large') })],
    ['short', () => documentOf('short')],
  ]),
};

interface Asked {
  page: Page;
  serial: string;
}

/** One connection: what was asked on it, and everything that came once it was read. */
interface Client {
  socket: Socket;
  asked: Asked[];
  received: Buffer[];
}

let serials = 0;

/** No two calls have one serial, and all serials one length, as those of the radios of one kind. */
function ask(client: Client, pages: readonly Page[], last = false): void {
  const calls = pages.map((page) => {
    serials += 1;
    return { page, serial: `radio-${String(serials).padStart(6, '0')}` };
  });
  client.asked.push(...calls);
  const text = calls.map(
    ({ page, serial }, n) =>
      `GET /Browse.ashx?c=${page}&partnerId=demo&serial=${serial} HTTP/1.1\r\nHost: radio.test\r\n` +
      `${last && n === calls.length - 1 ? 'Connection: close\r\n' : ''}\r\n`,
  );
  client.socket.write(text.join(''));
}

async function openClient(t: TestContext, { listeners }: TestServer): Promise<Client> {
  const socket = connect(listeners.httpPort, '127.0.0.1');
  // Before it is connected, so that not one byte is read: the system's own buffers fill up.
  socket.pause();
  t.after(() => socket.destroy());
  const client: Client = { socket, asked: [], received: [] };
  await once(socket, 'connect');
  return client;
}

async function readToEnd({ socket, received }: Client): Promise<void> {
  const ended = once(socket, 'end');
  socket.on('data', (data: Buffer) => received.push(data));
  socket.resume();
  await ended;
}

/** A caller that reads what comes as it comes. */
async function askAndRead(t: TestContext, server: TestServer, pages: readonly Page[]): Promise<Client> {
  const client = await openClient(t, server);
  ask(client, pages, true);
  await readToEnd(client);
  return client;
}

/** Reads answers by their Content-Length; nothing may be left over and nothing may be missing. */
function checkAnswers({ asked, received }: Client): void {
  const bytes = Buffer.concat(received);
  let at = 0;
  for (const call of asked) {
    const start = bytes.indexOf('\r\n\r\n', at) + 4;
    const head = bytes.toString('latin1', at, start);
    assert.match(head, /^HTTP\/1\.1 200 OK\r\n/, `the answer to ${call.serial} begins where it should`);
    const [, length = ''] = /^Content-Length: (\d+)\r$/m.exec(head) ?? [];
    at = start + Number(length);
    checkBody(call, bytes.toString('utf8', start, at));
  }
  assert.equal(at, bytes.length);
}

function checkBody({ page, serial }: Asked, body: string): void {
  const found = new Set(body.match(/radio-\d*/g));
  assert.deepEqual([...found], [serial], 'only the caller its own serial');
  const link = (n: number) =>
    `<outline type="link" text="${page} Ünïcode ${'.'.repeat(60)}"` +
    ` URL="http://radio.test/Browse.ashx?id=g${n}&amp;partnerId=demo&amp;serial=${serial}&amp;filter=s"/>\n`;
  const links = Array.from({ length: LINES[page] }, (_, n) => link(n)).join('');
  const head = `\t<head>\n\t<title>${page}</title>\n\t<status>200</status>\n\n\t</head>\n`;
  const whole = `<?xml version="1.0" encoding="UTF-8"?>\n<opml version="1">\n${head}\t<body>\n${links}\t</body>\n</opml>\n`;
  // Not assert.equal, whose report of two such texts takes minutes to make.
  assert.ok(body === whole, `the ${page} answer to ${serial} is not what it should be`);
}

/** The server's own view of every call, to know that what this is about did happen. */
function watchResponses(t: TestContext): { response: ServerResponse }[] {
  const seen: { response: ServerResponse }[] = [];
  // oxlint-disable-next-line no-unsafe-type-assertion -- what Node documents for this channel
  const see = (message: unknown): void => void seen.push(message as { response: ServerResponse });
  subscribe('http.server.request.start', see);
  t.after(() => unsubscribe('http.server.request.start', see));
  return seen;
}

const isStuck = ({ response }: { response: ServerResponse }): boolean =>
  response.socket !== null && response.socket.writableLength > 0;
const isBehind = ({ response }: { response: ServerResponse }): boolean =>
  response.socket === null && !response.writableFinished;
const SOME: readonly Page[] = ['middle', 'short', 'middle', 'large', 'short', 'middle', 'middle'];
/** More than the system's own buffers hold. */
const MANY = Array.from({ length: 16 }, () => SOME).flat();

test('the menus are of the sizes this is about', async (t) => {
  await using server = await startServer([browse]);
  const [middle, large] = [await askAndRead(t, server, ['middle']), await askAndRead(t, server, ['large'])];
  for (const client of [middle, large]) checkAnswers(client);
  const [middleBytes, largeBytes] = [middle, large].map(({ received }) => Buffer.concat(received).length);
  assert.ok(
    middleBytes! > 50_000 && middleBytes! < 64 * 1024 && largeBytes! > 180_000,
    `${middleBytes} ${largeBytes}`,
  );
});

test('answers that wait behind others on their connection stay what they are', async (t) => {
  await using server = await startServer([browse]);
  const seen = watchResponses(t);
  const clients = await Promise.all(Array.from({ length: 8 }, () => openClient(t, server)));
  for (const client of clients) ask(client, MANY);
  const quick = await Promise.all(SOME.map((page) => askAndRead(t, server, [page, page])));
  assert.ok(seen.filter(isBehind).length >= clients.length, 'some had to wait');
  for (const client of clients) ask(client, ['short'], true);
  await Promise.all(clients.map(readToEnd));
  for (const client of [...clients, ...quick]) checkAnswers(client);
});

test('answers of which the system has taken a part stay what they are', async (t) => {
  await using server = await startServer([browse]);
  const seen = watchResponses(t);
  const clients = await Promise.all(Array.from({ length: 8 }, () => openClient(t, server)));
  const quick: Client[] = [];
  // One call at a time, so that none waits behind another before the system's buffers are full.
  for (let round = 0; round < 200 && seen.filter(isStuck).length < clients.length; round += 1) {
    for (const client of clients) ask(client, ['middle']);
    quick.push(await askAndRead(t, server, ['middle', 'short']));
    await sleep(2);
  }
  assert.ok(seen.filter(isStuck).length >= clients.length, 'every one of them is stuck');
  quick.push(...(await Promise.all(SOME.map((page) => askAndRead(t, server, [page, 'middle'])))));
  for (const client of clients) ask(client, ['short'], true);
  await Promise.all(clients.map(readToEnd));
  for (const client of [...clients, ...quick]) checkAnswers(client);
});
