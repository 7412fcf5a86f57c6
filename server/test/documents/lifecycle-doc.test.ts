import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MAX_SELF_REGISTERED } from '../../src/core/accounts/partners/partner-table.ts';
import { MAX_FOLDERS, MAX_PRESETS } from '../../src/core/accounts/presets/preset-rules.ts';
import { UNDO_DAYS } from '../../src/core/accounts/undo.ts';
import { MAX_PAGE_LENGTH } from '../../src/core/directory/groups/select-stations.ts';
import { MAX_ITEM_BYTES } from '../../src/formats/json-lines/read.ts';
import { HOST_LIMITER } from '../../src/net/fetch/connections.ts';
import { HTTP_LIMITS } from '../../src/net/http/limits.ts';
import { TUNING } from '../../src/net/tuner/route.ts';
import { MAX_BODY_BYTES } from '../../src/protocols/site/session/site-endpoint.ts';
import { WRITE_MS } from '../../src/storage/cache/in-time.ts';
import { IN_HAND_PER_HOST } from '../../src/workers/runner/hosts.ts';

const seconds = (ms: number): string => `${ms / 1000} s`;
const kibibytes = (bytes: number): string => `${bytes / 1024} KiB`;
const count = (number: number): string => number.toLocaleString('en-US');

const read = (name: string): string => readFileSync(join(import.meta.dirname, '../../../docs', name), 'utf8');

test('the settings that docs/lifecycle.md names are there', () => {
  const named = [...read('lifecycle.md').matchAll(/`([A-Z]+(?:_[A-Z]+)*)`/g)].map(([, name = '']) => name);
  const settings = read('configuration.md');
  assert.ok(named.length > 5);
  assert.deepEqual(
    named.filter((name) => !settings.includes(`| \`${name}\` `)),
    [],
  );
});

test('the limits that docs/lifecycle.md tells are those of the code', () => {
  const text = read('lifecycle.md');
  const told = [
    `a head over ${kibibytes(HTTP_LIMITS.maxHeaderBytes)} (431) or not there after ${seconds(HTTP_LIMITS.headersTimeoutMs)}`,
    `a request not whole after ${seconds(HTTP_LIMITS.requestTimeoutMs)}`,
    `nothing moves for ${seconds(HTTP_LIMITS.socketTimeoutMs)}`,
    `come again in ${HTTP_LIMITS.retryAfterSeconds} s`,
    `a call that waited ${seconds(HTTP_LIMITS.callTimeoutMs)}`,
    `a query over ${count(HTTP_LIMITS.maxQueryCharacters)} characters, over ${HTTP_LIMITS.maxParams} parameters, one over ${HTTP_LIMITS.maxParamCharacters} characters`,
    `${MAX_SELF_REGISTERED} of them at most`,
    `a page ends after ${count(MAX_PAGE_LENGTH)} stations`,
    `${IN_HAND_PER_HOST} of a host in hand`,
    `${TUNING.redirects} redirects, ${TUNING.playlists} playlists one in the other, ${TUNING.addressesTried} addresses of each, ${TUNING.connections} connections`,
    `${HOST_LIMITER.host} of a host over all workers, ${HOST_LIMITER.network} of a network, ${HOST_LIMITER.all} in all`,
    `a line or element over ${MAX_ITEM_BYTES / 2 ** 20} MiB`,
    `a body over ${kibibytes(MAX_BODY_BYTES)}`,
    `${MAX_PRESETS} presets, ${MAX_FOLDERS} folders`,
    `after ${seconds(WRITE_MS)} (site: `,
    `takes it back for ${UNDO_DAYS} days`,
  ];
  assert.deepEqual(
    told.filter((limit) => !text.includes(limit)),
    [],
  );
});
