import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identify } from './identify.ts';

/** 44,100 Hz and two channels, and then a block of comments that says how many there are. */
function flac(comments: number): Buffer {
  const info = Buffer.alloc(34);
  info.writeUInt32BE(((44_100 << 12) | (1 << 9)) >>> 0, 10);
  const said = Buffer.alloc(8);
  said.writeUInt32LE(comments, 4);
  return Buffer.concat([
    Buffer.from('fLaC'),
    Buffer.from([0, 0, 0, 34]),
    info,
    Buffer.from([0x84, 0, 0, 8]),
    said,
    Buffer.alloc(12_000),
  ]);
}

test('comments without number cost nothing: they are not read', async () => {
  const before = process.memoryUsage.rss();
  const started = process.cpuUsage();
  for (const comments of [0, 15_000_000, 30_000_000, 2 ** 31 - 1, 2 ** 32 - 1])
    assert.deepEqual(await identify(flac(comments)), {
      format: 'flac',
      codec: 'FLAC',
      container: 'FLAC',
      sampleRate: 44_100,
      channels: 2,
    });
  const { user, system } = process.cpuUsage(started);
  assert.ok((user + system) / 1000 < 50, `${(user + system) / 1000} ms`);
  assert.ok(process.memoryUsage.rss() - before < 32 * 2 ** 20);
});

test('FLAC that is cut off or begins with something else is not known', async () => {
  assert.equal(await identify(flac(0).subarray(0, 30)), undefined);
  const other = flac(0);
  other[4] = 4;
  assert.equal(await identify(other), undefined);
});
