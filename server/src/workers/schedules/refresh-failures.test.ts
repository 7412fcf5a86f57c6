import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  clock,
  due,
  host,
  kept,
  logged,
  deps,
  onAir,
  type Page,
  pages,
  tagged,
  XMLTV,
} from '../../../test/content/schedule-world.ts';
import { followSchedule, refreshSchedule } from './refresh.ts';

test('what fails keeps what was known, waits longer each time, and says why', async () => {
  pages.set('/xmltv?key=hidden', tagged('"1"', XMLTV));
  await followSchedule(deps(), { stationId: 20, address: `${host}/xmltv?key=hidden` });
  pages.set('/xmltv?key=hidden', (_request, response) => response.writeHead(500).end());
  const waits: (number | undefined)[] = [];
  for (let n = 0; n < 9; n += 1) {
    assert.equal(await refreshSchedule(deps(), await due(20)), 'failed');
    waits.push((await kept(20))?.wait);
  }
  assert.deepEqual(waits, [900, 1800, 3600, 7200, 14_400, 28_800, 57_600, 86_400, 86_400]);
  assert.match(
    (await kept(20))?.trouble ?? '',
    /^spi\.station-server\.net:\d+ answered 500 instead of a schedule$/,
  );
  assert.deepEqual(await onAir(20), ['A 21 06:00-21 07:00']);
  assert.doesNotMatch(logged.join(''), /hidden/, 'an address may hold a key');
  pages.set('/xmltv?key=hidden', tagged('"1"', XMLTV));
  assert.equal(await refreshSchedule(deps(), await due(20)), 'same');
  const { failures, trouble } = (await kept(20)) ?? {};
  assert.deepEqual([failures, trouble], [0, null]);
});

/** Each: what the server does after a first reading that worked, how long it is left alone, and what is said. */
const FAILURES: [what: string, page: Page, wait: number, trouble: RegExp][] = [
  [
    'Retry-After in seconds',
    (_request, response) => response.writeHead(429, { 'retry-after': '7200' }).end(),
    7200,
    /answered 429/,
  ],
  [
    'Retry-After as a date',
    (_request, response) =>
      response
        .writeHead(503, { 'retry-after': new Date(clock.now().epochMilliseconds + 5000_000).toUTCString() })
        .end(),
    5000,
    /answered 503/,
  ],
  [
    'Retry-After of ten years',
    (_request, response) => response.writeHead(503, { 'retry-after': '315360000' }).end(),
    7 * 86_400,
    /answered 503/,
  ],
  [
    'gone',
    (_request, response) => response.writeHead(410).end(),
    7 * 86_400,
    /answered 410: there is no schedule/,
  ],
  ['not found', (_request, response) => response.writeHead(404).end(), 900, /check the address/],
  ['no schedule', (_request, response) => response.end('<html>'), 900, /is in no known schedule format/],
  ['an empty one', (_request, response) => response.end('<tv/>'), 900, /nothing in the schedule can be used/],
  [
    'a bomb',
    (_request, response) => response.end(gzipSync(Buffer.alloc(40 * 2 ** 20))),
    900,
    /more than 16777216 bytes/,
  ],
  [
    'cut off',
    (_request, response) => response.socket?.destroy(),
    900,
    /cannot be read: waiting for a response failed/,
  ],
  [
    'a way inside',
    (_request, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
    900,
    /is not read: the address is not on the public internet/,
  ],
  [
    'a NUL, which is told of without it',
    (_request, response) =>
      response.end(
        'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:A\r\nDTSTART:20\0x\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
      ),
    900,
    /DTSTART "20x" is not a time/,
  ],
];
for (const [index, [what, page, wait, trouble]] of FAILURES.entries()) {
  test(`${what}: asked again in ${wait} seconds`, async () => {
    const stationId = 30 + index;
    pages.set('/x', (_request, response) => response.end(XMLTV));
    await followSchedule(deps(), { stationId, address: `${host}/x` });
    pages.set('/x', page);
    assert.equal(await refreshSchedule(deps(), await due(stationId)), 'failed');
    const row = await kept(stationId);
    assert.ok(Math.abs((row?.wait ?? 0) - wait) <= 2, `${row?.wait}`);
    assert.match(row?.trouble ?? '', trouble);
    assert.deepEqual(await onAir(stationId), ['A 21 06:00-21 07:00'], 'what was known stays');
  });
}
