import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChunkedBody, type Head, HeadReader } from './head-reader.ts';

function readIn(size: number, text: string | Buffer): Head | undefined {
  const bytes = Buffer.from(text);
  const reader = new HeadReader();
  for (let at = 0; at < bytes.length; at += size) {
    const head = reader.push(bytes.subarray(at, at + size));
    if (head) return { ...head, rest: Buffer.concat([head.rest, bytes.subarray(at + size)]) };
  }
  return undefined;
}

const ICY = [
  'ICY 200 OK',
  'icy-notice1:<BR>This stream requires a player<BR>',
  'icy-name:Radio Café: live',
  'Content-Type: audio/mpeg',
  'content-type: text/html',
  'no colon in this line',
  ':nameless',
  'icy-metaint: 16000 ',
  '',
  'SOUND',
].join('\r\n');

for (const size of [1, 2, 7, 64, 10_000]) {
  test(`a head of SHOUTcast in pieces of ${size}`, () => {
    const head = readIn(size, ICY) ?? assert.fail();
    assert.deepEqual([head.protocol, head.status, head.reason], ['icy', 200, 'OK']);
    assert.deepEqual(Object.fromEntries(head.headers), {
      'icy-notice1': '<BR>This stream requires a player<BR>',
      'icy-name': 'Radio Café: live',
      'content-type': 'audio/mpeg',
      'icy-metaint': '16000',
    });
    assert.equal(head.rest.toString(), 'SOUND');
  });
}

const heads: [text: string | Buffer, protocol: string, status: number, reason: string][] = [
  ['HTTP/1.0 200 OK\r\n\r\n', 'http', 200, 'OK'],
  ['HTTP/1.1 200\r\n\r\n', 'http', 200, ''],
  ['http/1.1 302 Found\n\n', 'http', 302, 'Found'],
  ['ICY 404 Resource Not Found\r\n\r\n', 'icy', 404, 'Resource Not Found'],
  [
    'HTTP/1.1 100 Continue\r\nx: y\r\n\r\nHTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
    'http',
    200,
    'OK',
  ],
  [Buffer.from('HTTP/1.0 403 Zu viele H\xf6rer\x1b[2J\r\n\r\n', 'latin1'), 'http', 403, 'Zu viele Hörer [2J'],
];
for (const [text, protocol, status, reason] of heads) {
  test(`${JSON.stringify(text.toString('latin1').slice(0, 40))} is ${protocol} ${status}`, () => {
    const head = readIn(3, text) ?? assert.fail();
    assert.deepEqual([head.protocol, head.status, head.reason], [protocol, status, reason]);
  });
}

test('what an interim head says is not kept, and values are without controls, in either encoding', () => {
  const latin = Buffer.from(
    'HTTP/1.1 100 X\r\na: old\r\n\r\nICY 200 OK\r\nb: Bj\xf6rk\x07!\r\n\r\n',
    'latin1',
  );
  assert.deepEqual([...(readIn(9, latin) ?? assert.fail()).headers], [['b', 'Björk !']]);
});

const refused: [name: string, text: string, why: RegExp][] = [
  ['no protocol', 'SSH-2.0-OpenSSH\r\n', /neither HTTP nor ICY/],
  ['HTTP/2', 'HTTP/2 200\r\n', /neither/],
  ['a status that is none', 'HTTP/1.1 999999 X\r\n', /neither/],
  ['an empty line first', '\r\nHTTP/1.1 200 OK\r\n', /neither/],
  ['a long first line', `ICY 200 ${'x'.repeat(300)}`, /first line is longer/],
  ['a long first line that ends', `ICY 200 ${'x'.repeat(300)}\r\n`, /first line is longer/],
  ['a header without end', `ICY 200 OK\r\nx: ${'y'.repeat(17_000)}`, /larger than 16384/],
  ['large headers', `ICY 200 OK\r\n${`x: ${'y'.repeat(5000)}\r\n`.repeat(4)}`, /larger than 16384/],
  ['many headers', `ICY 200 OK\r\n${'a: b\r\n'.repeat(101)}`, /more than 100/],
  ['another protocol', 'HTTP/1.1 101 Switching\r\n\r\n', /switched protocols/],
  ['interim heads without end', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(6), /too many interim/],
];
for (const [name, text, why] of refused) {
  test(`${name} is refused in pieces of any size`, () => {
    for (const size of [1, 50, 100_000])
      assert.throws(() => readIn(size, text), { name: 'BadAnswer', message: why });
  });
}

test('a head that is not whole is none yet', () => {
  assert.equal(readIn(5, 'ICY 200 OK\r\nicy-name: x\r\n'), undefined);
});

function bodyIn(size: number, text: string): { body: string; isDone: boolean } {
  const [bytes, chunked] = [Buffer.from(text), new ChunkedBody()];
  let body = '';
  for (let at = 0; at < bytes.length; at += size)
    body += chunked.push(bytes.subarray(at, at + size)).toString();
  return { body, isDone: chunked.isDone };
}

const good: [name: string, text: string, body: string, isDone: boolean][] = [
  ['two chunks', '5\r\nHello\r\n6\r\n world\r\n0\r\n\r\n', 'Hello world', true],
  ['capital digits, and something said about a chunk', 'A;x="y"\r\n0123456789\r\n00\r\n', '0123456789', true],
  ['bare line feeds', '3\nabc\n0\n', 'abc', true],
  ['what comes after the last', '1\r\na\r\n0\r\nx: y\r\n\r\nmore', 'a', true],
  ['a chunk that has not ended', 'ff\r\nabc', 'abc', false],
  ['nothing yet', '1', '', false],
];
for (const [name, text, body, isDone] of good) {
  test(`${name}, in pieces of any size`, () => {
    for (const size of [1, 2, 3, 1000]) assert.deepEqual(bodyIn(size, text), { body, isDone });
  });
}

const bad: [name: string, text: string, why: RegExp][] = [
  ['a length that is none', 'zz\r\n', /not a number/],
  ['a negative length', '-1\r\n', /not a number/],
  ['no length', '\r\n', /not a number/],
  ['a length beyond all numbers', `${'f'.repeat(17)}\r\n`, /not a number/],
  ['a length that nobody believes', 'ffffffff\r\n', /or too large/],
  ['a chunk longer than it said', '1\r\nabc\r\n', /longer than it said/],
  ['a comment without end', `1;${'x'.repeat(300)}`, /too long/],
];
for (const [name, text, why] of bad) {
  test(`${name} is refused in pieces of any size`, () => {
    for (const size of [1, 7, 1000])
      assert.throws(() => bodyIn(size, text), { name: 'BadAnswer', message: why });
  });
}
