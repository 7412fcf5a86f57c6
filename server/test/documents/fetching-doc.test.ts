import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MAX_HEADER_BYTES } from '../../src/net/fetch/ask.ts';
import { HOST_LIMITER } from '../../src/net/fetch/connections.ts';
import { FETCH_LIMITS } from '../../src/net/fetch/fetch-safely.ts';
import { publicInternet } from '../../src/net/fetch/policy.ts';

const seconds = (ms: number): string => `${ms / 1000} s`;
const mebibytes = (bytes: number): string => `${bytes / 2 ** 20} MiB`;

test('the table of limits says what the code does', () => {
  const document = readFileSync(join(import.meta.dirname, '../../../docs/fetching.md'), 'utf8');
  const rows = Object.fromEntries(
    [...document.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].map(([, limit, is]) => [limit, is]),
  );
  assert.deepEqual(rows, {
    'the look-up of a name, the connection, TLS': `${seconds(publicInternet.connectMs)} each`,
    'the first byte of the answer': seconds(FETCH_LIMITS.firstByteMs),
    'everything together, redirects too': seconds(FETCH_LIMITS.deadlineMs),
    redirects: `${FETCH_LIMITS.mostRedirects}`,
    'head of an answer': `${MAX_HEADER_BYTES / 1024} KiB`,
    'body over the wire': mebibytes(FETCH_LIMITS.maxWireBytes),
    'body after unpacking': mebibytes(FETCH_LIMITS.maxBytes),
    packing: 'gzip, once',
    'at once at a host': `${HOST_LIMITER.host}`,
    'at once in a network (IPv4 /24, IPv6 /48)': `${HOST_LIMITER.network}`,
    'at once in all': `${HOST_LIMITER.all}`,
  });
});
