import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { OUTSIDE, SECRET } from '../../internet/canary-host.ts';
import { HOSTILE_IPS, hostileUrls } from '../../internet/hostile-addresses.ts';
import { inOwnInternet } from '../../internet/own-internet.ts';
import type { SsrfReport } from './ssrf-tries.ts';

let report: SsrfReport;
before(async () => {
  // oxlint-disable-next-line no-unsafe-type-assertion -- written by the file beside this one
  report = (await inOwnInternet(join(import.meta.dirname, 'ssrf-tries.ts'), 120_000)) as SsrfReport;
});

test('no way to a hostile address gets a connection anywhere but outside', () => {
  assert.deepEqual(Object.keys(report.heard), [OUTSIDE]);
  const hostile = hostileUrls(0).length;
  assert.equal(report.tries, Object.keys(report.outcomes).length * hostile);
  assert.ok(report.heard[OUTSIDE]! > report.tries / 2, 'redirects and feeds were read');
});

test('every try is refused as unsafe, or the address is dropped where a feed is read', () => {
  assert.deepEqual(report.odd, []);
  for (const [way, outcomes] of Object.entries(report.outcomes))
    assert.ok((outcomes['UnsafeAddress'] ?? 0) > HOSTILE_IPS.length, way);
});

test('the same ways do lead to a good address', () => {
  for (const [way, got] of Object.entries(report.good))
    assert.equal(got, way === 'as a stream' ? OUTSIDE : SECRET, way);
});

/** No TCP connection is made to many at once, nor to a neighbour without saying on which wire. */
const NOBODY_CONNECTS_TO = ['224.0.0.1', '239.255.255.250', '255.255.255.255', 'fe80::1', 'ff02::1'];

test('the control: the canary hears whoever connects to these addresses without asking', () => {
  const unheard = HOSTILE_IPS.filter((ip) => !report.heardUnguarded.includes(ip));
  assert.deepEqual(unheard, NOBODY_CONNECTS_TO);
});

/** What answers callers. */
const ENDPOINTS = '{net/http,formats/opml,protocols/{radiotime,logos}}/**/*.ts';

test('no endpoint fetches anything, so none can be told to', () => {
  const src = join(import.meta.dirname, '../../../src');
  const files = globSync(ENDPOINTS, { cwd: src });
  assert.ok(files.length > 50);
  const fetching = files.filter((file) =>
    /fetch-safely|net\/fetch/.test(readFileSync(join(src, file), 'utf8')),
  );
  assert.deepEqual(fetching, []);
});
