import assert from 'node:assert/strict';
import { request } from 'node:http';
import type { ControlPointTraits } from './control-point.ts';

/** A radio of 2008 whose portal is gone; what is left to it is the media player, made for files. */
export const RECIVA_LIKE: ControlPointTraits = {
  userAgent: 'Reciva/1.0 UPnP/1.0',
  pageSize: 30,
  spoilsEntities: false,
  redirects: 0,
  shows: (itemClass) => itemClass.startsWith('object.item.audioItem.musicTrack'),
};

const TAG_BYTES = 128;
/** Its numbers have 31 bits. */
const MAX_LENGTH = 2 ** 31 - 1;
const MAX_ADDRESS = 255;

export interface PlayedFile {
  /** As its display has it. */
  title: string;
  /** What it heard, from the beginning and after it went on in the middle. */
  beginning: Buffer;
  middle: Buffer;
}

/** Plays as its firmware does: asks how long the file is, reads the tag at its end, then parts of it; a redirect is silence. */
export async function playFile(address: string, bytes: number): Promise<PlayedFile> {
  assert.ok(address.length <= MAX_ADDRESS, `${address.length} characters`);
  assert.match(address, /^http:/);
  const { length } = await part(address, undefined, 0);
  assert.ok(length > TAG_BYTES && length <= MAX_LENGTH, `a file of ${length} bytes`);
  const { body: tag } = await part(address, [length - TAG_BYTES, length - 1], TAG_BYTES);
  assert.equal(tag.length, TAG_BYTES);
  assert.equal(tag.toString('latin1', 0, 3), 'TAG', 'no tag at the end');
  const { body: beginning } = await part(address, [0, bytes - 1], bytes);
  const { body: middle } = await part(address, [1_000_000, undefined], bytes);
  const [title = ''] = tag.toString('latin1', 3, 33).split('\0', 1);
  return { title, beginning, middle };
}

/** It hangs up when it has as many bytes as it wants. */
function part(
  address: string,
  range: [from: number, to: number | undefined] | undefined,
  wanted: number,
): Promise<{ length: number; body: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ length: number; body: Buffer }>();
  const headers = range ? { range: `bytes=${range[0]}-${range[1] ?? ''}` } : {};
  const asked = request(address, { headers, agent: false, timeout: 20_000 }, (response) => {
    try {
      assert.equal(response.statusCode, range ? 206 : 200);
      assert.equal(response.headers['accept-ranges'], 'bytes');
      assert.equal(response.headers['transfer-encoding'], undefined);
      const length = Number(response.headers['content-length']);
      assert.ok(length > 0, 'a file has a length');
      if (range) {
        const [, first, last, whole] =
          /^bytes (\d+)-(\d+)\/(\d+)$/.exec(String(response.headers['content-range'])) ?? [];
        assert.deepEqual([Number(first), Number(last)], [range[0], range[1] ?? Number(whole) - 1]);
        assert.equal(length, Number(last) - Number(first) + 1);
      }
      const pieces: Buffer[] = [];
      let got = 0;
      const done = (): void => {
        asked.destroy();
        resolve({ length, body: Buffer.concat(pieces).subarray(0, wanted) });
      };
      response.on('data', (piece: Buffer) => {
        pieces.push(piece);
        if ((got += piece.length) >= wanted) done();
      });
      response.on('end', done);
    } catch (error) {
      asked.destroy();
      reject(error);
    }
  });
  asked.on('timeout', () => asked.destroy(new Error(`${address}: nothing came`)));
  asked.on('error', reject).end();
  return promise;
}
