import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { bitmapOf, disc, icoOf, plain, pngOf, svg } from '../../../../test/content/picture-samples.ts';
import { PictureRefused } from './kind-of.ts';
import { resizeImage } from './resize-image.ts';

const uses = (n: number): string => `<use xlink:href="#u${n}"/>`.repeat(10);
const nested = (levels: number): Buffer => {
  const groups = Array.from({ length: levels }, (_, n) => `<g id="u${n + 1}">${uses(n)}</g>`).join('');
  return svg(`<defs><g id="u0"><path d="M0 0h9v9"/></g>${groups}</defs><use xlink:href="#u${levels}"/>`);
};
const cut = async (bytes: Promise<Buffer>): Promise<Buffer> =>
  (await bytes).subarray(0, (await bytes).length / 2);
const webpHeader = Buffer.from(
  'RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\xff\xff\xff\x0f\0\0\0\0\0\0\0\0\0',
  'latin1',
);

/** What is refused, and the words that say why. */
const REFUSED: Record<string, [make: () => Buffer | Promise<Buffer>, why: RegExp]> = {
  'a PNG of 50,000 x 50,000': [
    () => pngOf(50_000, 50_000, Buffer.alloc(1000)),
    /more than 25 million pixels; use one of 600 x 600/,
  ],
  'a WebP of 16,384 x 16,384': [() => webpHeader, /more than 25 million pixels|cannot be decoded/],
  'an SVG of a million by a million': [
    () => svg('<path d="M0 0h9"/>', 'width="1000000" height="1000000"'),
    /more than 25 million pixels/,
  ],
  'an SVG as thin as a thread': [
    () => svg('<path d="M0 0h9"/>', 'width="100000" height="1"'),
    /cannot be decoded/,
  ],
  'a JPEG that ends in the middle': [
    () => cut(plain(400, 400, '#456').jpeg().toBuffer()),
    /the JPEG cannot be decoded .*; save it again/,
  ],
  'a PNG that ends in the middle': [() => cut(disc(400).png().toBuffer()), /the PNG cannot be decoded/],
  'a GIF that ends in its header': [
    () => Buffer.from('GIF89a\xff\xff\xff\xff', 'latin1'),
    /the GIF cannot be decoded/,
  ],
  'an SVG with entities that multiply': [
    () =>
      Buffer.from(
        `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg"><text>&b;</text></svg>`,
      ),
    /defines entities; save it without them/,
  ],
  'an SVG that reads a file': [
    () => svg('<image href="file:///etc/passwd" width="9" height="9"/>'),
    /refers to external files/,
  ],
  'an SVG that asks a server': [
    () => svg('<image xlink:href="http://10.0.0.1/x.png" width="9" height="9"/>'),
    /refers to external files/,
  ],
  'an SVG with a style from elsewhere': [
    () => svg('<style>@import url(http://10.0.0.1/x.css);</style>'),
    /refers to external files/,
  ],
  'an SVG with a fill from elsewhere': [
    () => svg('<path fill="url(http://10.0.0.1/x#y)" d="M0 0h9"/>'),
    /refers to external files/,
  ],
  'an SVG around another picture': [
    () => svg('<image href="data:image/png;base64,AAAA"/>'),
    /use that picture instead/,
  ],
  'an SVG in UTF-16': [
    () => Buffer.from('\uFEFF<svg xmlns="http://www.w3.org/2000/svg"/>', 'utf16le'),
    /not a PNG, JPEG/,
  ],
  'an SVG that says it is in UTF-7': [
    () => Buffer.from('<?xml version="1.0" encoding="UTF-7"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
    /not in UTF-8/,
  ],
  'a page': [
    () => Buffer.from('<!DOCTYPE html><html><body><svg></svg>'),
    /an HTML page; use the address of the picture itself/,
  ],
  'a text': [() => Buffer.from('Not found'), /not a PNG, JPEG/],
  nothing: [() => Buffer.alloc(0), /empty/],
  'a TIFF': [() => plain(90, 90, '#456').tiff().toBuffer(), /not a PNG, JPEG/],
  'a script that begins like a bitmap': [() => Buffer.from('BM=1;alert(1)'), /not a PNG, JPEG/],
  'a dot': [() => plain(1, 1, '#456').png().toBuffer(), /1 x 1 pixels; use one of at least 24/],
  'a picture of nothing': [
    () =>
      sharp({ create: { width: 90, height: 90, channels: 4, background: '#fff0' } })
        .png()
        .toBuffer(),
    /fully transparent/,
  ],
  'an ICO that points behind its end': [
    () => icoOf({ side: 32, bits: 32, bytes: bitmapOf(32, 32, [1, 2, 3]) }).subarray(0, 100),
    /contains no complete picture/,
  ],
  'an ICO that is shorter than it says': [
    () => icoOf({ side: 32, bits: 32, bytes: bitmapOf(32, 32, [1, 2, 3]).subarray(0, 90) }),
    /is cut short/,
  ],
  'an ICO around a PNG of 50,000 x 50,000': [
    () => icoOf({ side: 256, bits: 32, bytes: pngOf(50_000, 50_000, Buffer.alloc(99)) }),
    /more than 25 million pixels/,
  ],
};

for (const [name, [make, why]] of Object.entries(REFUSED)) {
  test(`${name} is refused, in time and with a reason`, async () => {
    const bytes = await make();
    const start = performance.now();
    await assert.rejects(resizeImage(bytes), (error) => {
      assert.ok(error instanceof PictureRefused, String(error));
      assert.match(error.message, why);
      assert.ok(error.message.length <= 300);
      return true;
    });
    assert.ok(performance.now() - start < 3000);
  });
}

test('what was hidden behind a picture, or in it, is gone', async () => {
  const hidden = '<script>alert(1)</script>';
  const jpeg = await plain(90, 90, '#456')
    .jpeg()
    .withMetadata({ exif: { IFD0: { Copyright: hidden } } })
    .toBuffer();
  const drawing = svg(
    `${hidden}<circle cx="100" cy="100" r="90" onclick="alert(1)"/><foreignObject>${hidden}</foreignObject>`,
  );
  for (const bytes of [Buffer.concat([jpeg, Buffer.from(hidden)]), drawing]) {
    const { files } = await resizeImage(bytes);
    for (const file of files) assert.ok(!file.bytes.includes('alert'), `${file.size}.${file.kind}`);
  }
});

test('a drawing of a thousand copies is drawn, and its own parts may refer to each other', async () => {
  assert.equal((await resizeImage(nested(3))).files.length, 8);
});
