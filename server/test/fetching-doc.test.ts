import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MOST_HEADER_BYTES } from '../src/lib/fetch-safely/ask.ts';
import { SEATS } from '../src/lib/fetch-safely/connections.ts';
import { LIMITS } from '../src/lib/fetch-safely/fetch-safely.ts';
import { publicInternet } from '../src/lib/fetch-safely/policy.ts';

const seconds = (ms: number): string => `${ms / 1000} s`;
const mebibytes = (bytes: number): string => `${bytes / 2 ** 20} MiB`;

test('the table of limits says what the code does', () => {
  const document = readFileSync(join(import.meta.dirname, '../../docs/fetching.md'), 'utf8');
  const rows = Object.fromEntries(
    [...document.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].map(([, limit, is]) => [limit, is]),
  );
  assert.deepEqual(rows, {
    'the look-up of a name, the connection, TLS': `${seconds(publicInternet.connectMs)} each`,
    'the first byte of the answer': seconds(LIMITS.firstByteMs),
    'everything together, redirects too': seconds(LIMITS.deadlineMs),
    redirects: `${LIMITS.mostRedirects}`,
    'head of an answer': `${MOST_HEADER_BYTES / 1024} KiB`,
    'body over the wire': mebibytes(LIMITS.maxWireBytes),
    'body after unpacking': mebibytes(LIMITS.maxBytes),
    packing: 'gzip, once',
    'at once at a host': `${SEATS.host}`,
    'at once in a network (IPv4 /24, IPv6 /48)': `${SEATS.network}`,
    'at once in all': `${SEATS.all}`,
  });
});
