import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { crc32, inflateSync } from 'node:zlib';
import { type TestServer, sendRaw, startServer } from '../../test/http-server.ts';
import { logoOf } from '../opml/outlines.ts';
import { logos } from './logos.ts';
import { TINTS, tintOf } from './tints.ts';

let server: TestServer;
before(async () => {
  server = await startServer([logos()]);
});
after(() => server[Symbol.asyncDispose]());

const get = (path: string): Promise<Response> => fetch(`${server.origin}${path}`);
const bytes = async (path: string): Promise<Buffer> => Buffer.from(await (await get(path)).arrayBuffer());

interface Picture {
  width: number;
  height: number;
  /** Red, green and blue of a point. */
  at: (x: number, y: number) => number[];
}

/** Reads a PNG as a decoder does: signature, checksums, header, rows. */
function readPng(file: Buffer): Picture {
  assert.equal(file.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1A\n');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at);
    const body = file.subarray(at + 4, at + 8 + length);
    assert.equal(file.readUInt32BE(at + 8 + length), crc32(body));
    chunks.set(body.toString('latin1', 0, 4), body.subarray(4));
    at += 12 + length;
  }
  assert.deepEqual([...chunks.keys()], ['IHDR', 'IDAT', 'IEND']);
  const header = chunks.get('IHDR')!;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const rows = inflateSync(chunks.get('IDAT')!);
  assert.equal(rows.length, height * (width * 3 + 1));
  const line = width * 3;
  const pixels = Buffer.alloc(height * line);
  for (let y = 0; y < height; y++) {
    assert.equal(rows[y * (line + 1)], 2);
    for (let x = 0; x < line; x++) {
      const above = y === 0 ? 0 : pixels[(y - 1) * line + x]!;
      pixels[y * line + x] = rows[y * (line + 1) + 1 + x]! + above;
    }
  }
  return { width, height, at: (x, y) => [...pixels.subarray(y * line + x * 3, y * line + x * 3 + 3)] };
}

const SIZES: [file: string, pixels: number][] = [
  ['s123t.png', 75],
  ['s123s.png', 75],
  ['s123q.png', 145],
  ['s123d.png', 300],
  ['s123g.png', 600],
  ['s123.png', 145],
  ['s123.jpg', 145],
  ['s123d.jpg', 300],
  ['p90011q.png', 145],
  ['u0q.png', 145],
  ['S123Q.PNG', 145],
  ['s123q.png?partnerId=demo&c=anything', 145],
];
for (const [name, pixels] of SIZES) {
  test(`/logos/${name} is a picture of ${pixels} pixels`, async () => {
    const response = await get(`/logos/${name}`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'image/png');
    assert.equal(response.headers.get('cache-control'), 'private, max-age=86400');
    const file = Buffer.from(await response.arrayBuffer());
    assert.equal(response.headers.get('content-length'), String(file.length));
    const { width, height } = readPng(file);
    assert.deepEqual([width, height], [pixels, pixels]);
  });
}

test('the mark is white on its tint, and the same left and right', async () => {
  const picture = readPng(await bytes('/logos/s7d.png'));
  const tint = TINTS[tintOf('s7')]!;
  assert.deepEqual(picture.at(150, 150), [255, 255, 255]);
  assert.deepEqual(picture.at(0, 0), [...tint.top]);
  assert.deepEqual(picture.at(299, 299), [...tint.foot]);
  assert.deepEqual(picture.at(99, 150), [255, 255, 255], 'the inner wave');
  for (const x of [10, 60, 99, 130]) assert.deepEqual(picture.at(x, 120), picture.at(299 - x, 120));
});

test('one id has one tint, and all tints are in use', async () => {
  assert.deepEqual(await bytes('/logos/s5t.png'), await bytes('/logos/s5t.jpg'));
  const used = new Set(Array.from({ length: 200 }, (_, n) => tintOf(`s${n}`)));
  assert.equal(used.size, TINTS.length);
});

test('the addresses that outlines name are answered, to HTTP/1.0 too', async () => {
  const { path } = logoOf('s1');
  assert.equal((await get(path)).headers.get('content-type'), 'image/png');
  const raw = await sendRaw(server.listeners.httpPort, `GET ${path} HTTP/1.0\r\nHost: radio.test\r\n\r\n`);
  assert.match(raw, /^HTTP\/1\.[01] 200 /);
  assert.match(raw, /\r\n\r\n\x89PNG/);
});

test('what is no picture is told so', async () => {
  for (const file of ['s123q.gif', 'x', 's12x.png', '..%2Fetc%2Fpasswd']) {
    assert.match(await (await get(`/logos/${file}`)).text(), /No such picture|Not found/, file);
  }
});
