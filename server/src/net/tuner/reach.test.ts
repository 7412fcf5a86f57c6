import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeadReader } from '../../formats/icy/head-reader.ts';
import type { FailureCode, Verdict } from '../../lib/failure-code.ts';
import { isForElsewhere, refusalOf, retryAfterSeconds } from './reach.ts';

const head = (line: string) => new HeadReader().push(Buffer.from(`${line}\r\n\r\n`)) ?? assert.fail();

const answers: [line: string, said: string, verdict: Verdict, code: FailureCode][] = [
  ['HTTP/1.0 404 File Not Found', '', 'dead', 'http_404'],
  ['HTTP/1.0 410 Gone', '', 'dead', 'http_404'],
  ['HTTP/1.1 502 Bad Gateway', '', 'dead', 'http_error'],
  ['HTTP/1.1 503 Service Unavailable', '', 'busy', 'busy'],
  ['HTTP/1.1 509 Bandwidth Limit Exceeded', '', 'busy', 'busy'],
  ['HTTP/1.1 429 Too Many Requests', '', 'busy', 'busy'],
  ['HTTP/1.0 400 Server Full', '', 'busy', 'busy'],
  ['HTTP/1.0 403 Max listeners reached', '', 'busy', 'busy'],
  ['HTTP/1.0 403 Forbidden', 'The mount is full', 'busy', 'busy'],
  ['HTTP/1.0 403 Forbidden', 'Go away', 'refused', 'http_403'],
  ['HTTP/1.1 401 Unauthorized', '', 'refused', 'http_401'],
  ['ICY 401 Service Unavailable', '', 'dead', 'away'],
  ['HTTP/1.1 406 Not Acceptable', '', 'refused', 'http_refused'],
  ['HTTP/1.1 304 Not Modified', '', 'refused', 'http_refused'],
  ['HTTP/1.1 451 Unavailable For Legal Reasons', '', 'geo', 'geo'],
  ['HTTP/1.1 403 Forbidden', 'Sorry: geo-blocked', 'geo', 'geo'],
  ['HTTP/1.1 404 Not Found', 'This station is not available in your region.', 'geo', 'geo'],
];
for (const [line, said, verdict, code] of answers) {
  test(`${line}${said && ` (${said})`}: ${verdict}, ${code}`, () =>
    assert.deepEqual(refusalOf(head(line), said), { verdict, code }));
}

test('where listeners from elsewhere are sent is known by its name', () => {
  for (const path of [
    'geoblocked.mp3',
    'static/geo_restricted/loop.aac',
    'GeoFence?x',
    'not-available-in-your-country',
  ])
    assert.ok(isForElsewhere(`http://radio.example.net/${path}`), path);
  for (const path of ['geography.mp3', 'george', 'live?geo=de', 'block-party'])
    assert.ok(!isForElsewhere(`http://radio.example.net/${path}`), path);
});

test('how long a server wants to be left alone', () => {
  const now = Date.parse('2026-11-15T12:00:00Z');
  const said: [text: string, seconds: number | undefined][] = [
    ['120', 120],
    ['Sun, 15 Nov 2026 12:01:00 GMT', 60],
    ['Sun, 15 Nov 2026 11:00:00 GMT', undefined],
    ['0', undefined],
    ['999999999', 604_800],
    ['soon', undefined],
    ['', undefined],
  ];
  for (const [text, seconds] of said)
    assert.equal(retryAfterSeconds(new Map([['retry-after', text]]), now), seconds);
});
