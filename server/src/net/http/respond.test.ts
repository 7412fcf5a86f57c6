import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HTTP_LIMITS } from './limits.ts';
import { wantsGzip } from './respond.ts';

const headers: [acceptEncoding: string | undefined, wanted: boolean][] = [
  [undefined, false],
  ['', false],
  ['gzip', true],
  ['GZIP', true],
  ['gzip, deflate', true],
  ['deflate, gzip', true],
  ['deflate,gzip;q=0.5', true],
  ['gzip; q=1.0', true],
  ['gzip;q=0', false],
  ['gzip;q=0.000', false],
  ['gzip;q=0.001', true],
  ['identity', false],
  ['x-gzip2', false],
  ['br', false],
];
for (const [acceptEncoding, wanted] of headers) {
  test(`Accept-Encoding '${acceptEncoding}' ${wanted ? 'wants' : 'does not want'} gzip`, () => {
    assert.equal(wantsGzip(acceptEncoding), wanted);
  });
}

test('each time is shorter than that of whoever waits for it', () => {
  const { callTimeoutMs, headersTimeoutMs, requestTimeoutMs, drainMs, hardExitMs, keepAliveTimeoutMs } =
    HTTP_LIMITS;
  const waits = [
    callTimeoutMs,
    headersTimeoutMs,
    requestTimeoutMs,
    drainMs + 1,
    hardExitMs,
    keepAliveTimeoutMs,
  ];
  assert.deepEqual(
    waits,
    waits.toSorted((a, b) => a - b),
  );
});
