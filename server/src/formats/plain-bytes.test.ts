import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { plainBytes } from './plain-bytes.ts';

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const textOf = async (bytes: AsyncIterable<Uint8Array>): Promise<string> =>
  Buffer.concat(await Array.fromAsync(bytes)).toString();

test('plain and gzipped bytes read the same, in chunks of any size', async () => {
  const text = 'one\ntwo\n'.repeat(1000);
  for (const size of [1, 3, 100_000]) {
    assert.equal(await textOf(plainBytes(inPieces(Buffer.from(text), size))), text);
    assert.equal(await textOf(plainBytes(inPieces(gzipSync(text), size))), text);
  }
  assert.equal(await textOf(plainBytes(inPieces(Buffer.from('x'), 1))), 'x');
  assert.equal(await textOf(plainBytes(inPieces(Buffer.alloc(0), 1))), '');
});

test('a broken or endless archive is an error', async () => {
  const packed = gzipSync('text'.repeat(1000));
  await assert.rejects(textOf(plainBytes(inPieces(packed.subarray(0, 20), 8))), /unexpected end of file/);
  await assert.rejects(textOf(plainBytes(inPieces(gzipSync(Buffer.alloc(10_000)), 64), 9_999)), /split it/);
});

test('the source is closed when the reader stops early', async () => {
  let closed = false;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield Buffer.from('line\n');
    } finally {
      closed = true;
    }
  }
  const reader = plainBytes(source());
  await reader.next();
  await reader.return(undefined);
  assert.ok(closed);
});
