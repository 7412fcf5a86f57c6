import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MAX_ADDRESSES } from '../../src/formats/playlist/parse-playlist.ts';
import { FAILURE_CODES, VERDICTS } from '../../src/lib/failure-code.ts';
import { TUNING } from '../../src/net/tuner/route.ts';

const docs = join(import.meta.dirname, '../../../docs');
const document = readFileSync(join(docs, 'tuning-in.md'), 'utf8');

test('the table of limits says what the code does', () => {
  const [, table = ''] = document.split('| limit | |\n|---|---|\n');
  const rows = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)];
  assert.deepEqual(Object.fromEntries(rows.map(([, limit, is]) => [limit, is])), {
    'everything until the first sound': `${TUNING.deadlineMs / 1000} s`,
    'the answer of one server, its first sound': `${(TUNING.deadlineMs * TUNING.deadline) / 1000} s each`,
    'redirects in a row': `${TUNING.redirects}`,
    'nested playlists': `${TUNING.playlists}`,
    'addresses read of a playlist': `${MAX_ADDRESSES}`,
    'addresses tried of a playlist': `${TUNING.addressesTried}`,
    'a playlist': `${TUNING.playlistBytes / 1024} KiB`,
    'a playlist of HLS': `${TUNING.hlsBytes / 2 ** 20} MiB`,
    'connections in all': `${TUNING.connections}`,
  });
});

test('every verdict of a stream without sound is told', () => {
  const told = [...document.matchAll(/^\| `(\w+)` \|/gm)].map(([, verdict]) => verdict);
  // That it plays, or that no radio can, is known only when the sound is.
  const silent = VERDICTS.filter((verdict) => verdict !== 'plays' && verdict !== 'codec');
  assert.deepEqual(new Set(told), new Set(silent));
});

test('every code of a failure is told, and no other', () => {
  const probing = readFileSync(join(docs, 'probing.md'), 'utf8');
  const [, table = ''] = probing.split('| where | codes |\n|---|---|\n');
  const told = [...(table.split('\n\n')[0] ?? '').matchAll(/`(\w+)`/g)].map(([, code = '']) => code);
  assert.deepEqual(told.toSorted(), FAILURE_CODES.toSorted());
});
