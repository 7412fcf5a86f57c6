import { gzipSync } from 'node:zlib';
import { type Behaviour, dripping, endlessly, headers, once, thenNothing } from './send.ts';

const K = 1024;
const ZIPPED = headers('content-encoding: gzip');
const CHUNKED = headers('transfer-encoding: chunked');
/** A thousandth of what it becomes. */
const ZEROS = gzipSync(Buffer.alloc(16 * K * K));
const EMPTY = gzipSync('');

function layered(text: string, layers: number): Buffer {
  let body = Buffer.from(text);
  for (let layer = 0; layer < layers; layer += 1) body = gzipSync(body);
  return body;
}

/** What goes wrong with the body. */
export const BODIES: Readonly<Record<string, Behaviour>> = {
  'sends a letter at a time': dripping(headers(), 'x'),
  'promises a body and sends none': thenNothing(headers('content-length: 100')),
  'sends without end': endlessly(headers(), Buffer.alloc(64 * K)),
  'promises a terabyte and begins to send it': endlessly(
    headers('content-length: 1099511627776'),
    Buffer.alloc(64 * K),
  ),
  'sends less than it promised': once(headers('content-length: 100'), 'x'),
  'resets in the middle': (socket) =>
    socket.write(headers('content-length: 100'), () => socket.resetAndDestroy()),
  'sends a chunk whose length is none': once(CHUNKED, 'zz\r\n'),
  'sends a chunk longer than a number can say': once(CHUNKED, 'fffffffffffffffff\r\nx'),
  'sends a chunk of four gigabytes': endlessly(`${CHUNKED}ffffffff\r\n`, Buffer.alloc(64 * K)),
  'sends chunks of one letter without end': endlessly(CHUNKED, '1\r\nx\r\n'.repeat(4 * K)),
  'explains a chunk without end': endlessly(`${CHUNKED}1;`, 'x'.repeat(16 * K)),
  'sends trailers without end': endlessly(`${CHUNKED}1\r\nx\r\n0\r\n`, `x: ${'y'.repeat(K)}\r\n`),
  'sends a bomb': once(ZIPPED, ZEROS),
  'sends bombs without end': endlessly(ZIPPED, ZEROS),
  'sends packed nothing without end': endlessly(
    ZIPPED,
    Buffer.concat(Array.from({ length: K }, () => EMPTY)),
  ),
  'sends what is not packed as packed': once(ZIPPED, 'not gzip'),
  'sends half of what it packed': once(ZIPPED, ZEROS.subarray(0, 20)),
  'packs a letter at a time': dripping(ZIPPED, EMPTY),
  'packs twice': once(headers('content-encoding: gzip, gzip'), layered('x', 2)),
  'packs twenty times': once(headers(`content-encoding: ${'gzip, '.repeat(19)}gzip`), layered('x', 20)),
  'packs in a way that nobody asked for': once(headers('content-encoding: br'), 'x'),
};
