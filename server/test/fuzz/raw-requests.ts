import type { Dice } from './dice.ts';
import { mutated } from './mutate.ts';

const LONG = 64 * 1024;
/** Between two entries of a table; no request has it. */
const list = (text: string): string[] => text.split('¦');

const METHODS = [
  ...list(
    'GET¦GET¦GET¦POST¦HEAD¦PUT¦OPTIONS¦DELETE¦CONNECT¦TRACE¦PATCH¦BREW¦get¦M-SEARCH¦PRI¦SOURCE¦GE\0T¦G\x80T¦ GET¦GET\t¦',
  ),
  'X'.repeat(5000),
];
const TARGETS = [
  ...list(
    '/¦/¦/Browse.ashx¦/Browse.ashx?c=music¦/Tune.ashx?id=s1¦/Describe.ashx?c=countries¦/Search.ashx?query=%C3%A9',
  ),
  ...list(
    '/Preset.ashx?c=add&id=s1¦/Account.ashx?c=auth¦/listen/api/me¦/site.css¦/json/stations/byname/harbour',
  ),
  ...list(
    '/rest/ping.view?f=json¦/api/2/auth/ann/login.json¦/play/s1.m3u¦http://x/Browse.ashx¦https://x¦http://',
  ),
  ...list(
    'http://[::1¦http://a:b@x:99999/¦ftp://x/¦//x/y¦*¦x:443¦/\0¦/%00¦/%¦/%zz¦/\xe9¦/\xff\xfe¦/a b¦/\t¦/#a?b¦\\¦..¦',
  ),
  ...list('/../../etc/passwd¦/%2e%2e/%2e%2e/¦/?__proto__=x&constructor=y¦/?c=music&c=talk¦/?&&&=¦?'),
  `/${'a'.repeat(LONG)}`,
  `/?${'a=b&'.repeat(LONG / 4)}`,
  `/${'../'.repeat(2000)}`,
  `/?c=${'%41'.repeat(2700)}`,
];
const VERSIONS = list(
  ' HTTP/1.1¦ HTTP/1.1¦ HTTP/1.1¦ HTTP/1.0¦ HTTP/0.9¦¦ ¦ HTTP/2.0¦ HTTP/1.2¦ http/1.1¦ HTTP/1.¦ HTTP/11¦ HTTP/1.1 ¦ HTTP/1.1\0¦ RTSP/1.0¦ ICY/1.0¦\tHTTP/1.1¦ HTTP/1.1 x',
);
const ENDS = list('\n¦\r¦\r\r\n¦\n\r¦\0\r\n¦');
/** After the name, each of these values. */
const headers = (name: string, values: string): string[] => list(values).map((value) => `${name}: ${value}`);
const HEADERS = [
  ...headers('Content-Length', '0¦7¦-1¦+7¦0x7¦7, 7¦7 7¦7.0¦1e1¦x¦¦99999999999999999999¦\0¦070'),
  ...headers('Transfer-Encoding', 'chunked¦CHUNKED¦xchunked¦gzip, chunked¦chunked, identity¦¦\vchunked'),
  ...headers('Host', 'x¦x:80¦x:99999¦[::1]¦[¦a b¦x@y¦¦\0¦\xe9'),
  ...headers('Connection', 'close¦keep-alive¦Upgrade¦Content-Length¦,'),
  ...headers(
    'Content-Type',
    'application/x-www-form-urlencoded¦application/json¦multipart/form-data; boundary=¦;;¦\0',
  ),
  ...headers('X', 'a\0b¦a\rb¦a\nb¦\x7f¦\xff'),
  ...list(
    '__proto__: x¦constructor: x¦toString: x¦hasOwnProperty: x¦Content-Length : 7¦: x¦x¦ folded¦\tfolded¦X\0: y¦X(: y',
  ),
  ...list(
    'Expect: 100-continue¦Expect: 200-ok¦Upgrade: websocket¦Upgrade: h2c¦HTTP2-Settings: AAMAAABkAAQAAP__',
  ),
  ...list(
    'Range: bytes=0-¦Range: bytes=-1,-1,-1¦If-None-Match: *¦If-Modified-Since: x¦TE: trailers¦Trailer: x',
  ),
  ...list(
    'Accept-Encoding: gzip;q=x¦Accept-Language: ,,;q=¦Cookie: =;;=¦Authorization: Basic¦Authorization: Basic ////',
  ),
  ...list(
    'X-Forwarded-For: ,,¦X-Forwarded-For: 1.2.3¦Forwarded: for=¦X-Forwarded-Proto: \0¦Origin: null¦traceparent: x',
  ),
  `X: ${'a'.repeat(9000)}`,
  `${'X'.repeat(9000)}: y`,
  'X: y\r\n'.repeat(2100),
];
const BODIES = [
  ...list(
    '¦¦¦c=music¦c=music&c=talk¦7\r\nc=music\r\n0\r\n\r\n¦0\r\n\r\n¦FFFFFFFFFFFFFFFF1\r\nx¦-1\r\n¦\r\n\r\n',
  ),
  ...list('{"__proto__":{}}¦{¦<!DOCTYPE x [<!ENTITY a "b">]>¦%¦\0¦7;x=\0\r\nc=music\r\n0\r\nX: y\r\n\r\n'),
  ...list('GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
  '['.repeat(5000),
  '\xff'.repeat(100),
  'a='.repeat(20_000),
];
const NOT_HTTP = [
  ...list(
    '¦\0¦\r\n\r\n\r\n¦\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03¦\x80\x80\x01\x03\x01¦SSH-2.0-x\r\n¦*1\r\n$4\r\nPING\r\n',
  ),
  ...list(
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0¦HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
  ),
  ...list('PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\nGET / HTTP/1.1\r\n\r\n¦\xef\xbb\xbfGET / HTTP/1.1\r\n\r\n'),
  '\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
];
const TOKENS = list('\0¦\r¦\n¦\r\n¦\r\n\r\n¦ ¦:¦\x80¦%¦0¦HTTP/1.1¦Content-Length: 5\r\n').map((text) =>
  Buffer.from(text, 'latin1'),
);

const withEnd = (dice: Dice, line: string): string => line + (dice.chance(0.97) ? '\r\n' : dice.pick(ENDS));

function request(dice: Dice): string {
  const method = dice.pick(dice.chance(0.7) ? METHODS.slice(0, 5) : METHODS);
  const version = dice.pick(dice.chance(0.8) ? VERSIONS.slice(0, 4) : VERSIONS);
  const lines = [
    `${method} ${dice.pick(TARGETS)}${version}`,
    ...(dice.chance(0.7) ? ['Host: x'] : []),
    ...Array.from({ length: dice.below(4) }, () => dice.pick(HEADERS)),
  ];
  return `${lines.map((line) => withEnd(dice, line)).join('')}${withEnd(dice, '')}${dice.pick(BODIES)}`;
}

/** One to three requests as bytes, from tables of what no client should write, every fourth with something done to it. */
export function rawRequest(dice: Dice): Buffer {
  const count = dice.chance(0.8) ? 1 : 1 + dice.below(3);
  const requests = dice.chance(0.04)
    ? [dice.pick(NOT_HTTP)]
    : Array.from({ length: count }, () => request(dice));
  const bytes = Buffer.from(requests.join(''), 'latin1');
  return dice.chance(0.25) ? mutated(bytes, dice, TOKENS) : bytes;
}
