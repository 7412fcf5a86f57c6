import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { bitmapOf, disc, icoOf, plain, svg } from '../../../../test/content/picture-samples.ts';
import type { PictureKind, PictureSize } from '../../../storage/catalog/images/pictures.ts';
import { SIDES } from '../../../storage/catalog/images/pictures.ts';
import { type ResizedImage, resizeImage } from './resize-image.ts';

function fileOf({ files }: ResizedImage, size: PictureSize, kind: PictureKind): Buffer {
  const file = files.find((one) => one.size === size && one.kind === kind);
  assert.ok(file, `${size}.${kind}`);
  return file.bytes;
}

/** Red, green and blue of a point, given as parts of the side. */
async function colourAt(file: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(file)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at =
    (Math.floor(y * (info.height - 1)) * info.width + Math.floor(x * (info.width - 1))) * info.channels;
  return [...data.subarray(at, at + 3)];
}

async function looksLike(
  file: Buffer,
  x: number,
  y: number,
  [r = 0, g = 0, b = 0]: number[],
  most = 12,
): Promise<void> {
  const colour = await colourAt(file, x, y);
  const apart = Math.max(...[r, g, b].map((value, n) => Math.abs(value - (colour[n] ?? 0))));
  assert.ok(apart <= most, `is ${colour.join(' ')}, not ${[r, g, b].join(' ')}`);
}

const BLUE = [0x0a, 0x58, 0xca];
const SOURCES: Record<string, () => Promise<Buffer>> = {
  png: () => disc(400).png().toBuffer(),
  'png with 16 bits and interlace': () =>
    disc(400).toColourspace('rgb16').png({ progressive: true }).toBuffer(),
  'progressive jpeg': () => disc(400).flatten({ background: '#fff' }).jpeg({ progressive: true }).toBuffer(),
  'jpeg for print': () => disc(400).flatten({ background: '#fff' }).toColourspace('cmyk').jpeg().toBuffer(),
  webp: () => disc(400).webp().toBuffer(),
  avif: () => disc(200).avif({ effort: 0 }).toBuffer(),
  gif: () => disc(400).gif().toBuffer(),
  svg: async () => svg('<circle cx="12" cy="12" r="10" fill="#0a58ca"/>', 'viewBox="0 0 24 24"'),
  'ico of a png': async () => icoOf({ side: 256, bits: 32, bytes: await disc(256).png().toBuffer() }),
};

for (const [name, make] of Object.entries(SOURCES)) {
  test(`${name}: every size, in both kinds, opaque squares that old decoders read`, async () => {
    const resized = await resizeImage(await make());
    assert.equal(resized.files.length, 8);
    for (const { size, kind, bytes } of resized.files) {
      const facts = await sharp(bytes).metadata();
      assert.deepEqual(
        [
          facts.format,
          facts.width,
          facts.height,
          facts.hasAlpha,
          facts.isProgressive,
          facts.depth,
          facts.exif,
          facts.icc,
        ],
        [
          kind === 'png' ? 'png' : 'jpeg',
          SIDES[size],
          SIDES[size],
          false,
          false,
          'uchar',
          undefined,
          undefined,
        ],
      );
      // Ink has no such blue; inverted, as printers' files are at times, it would be orange.
      await looksLike(bytes, 0.5, 0.5, BLUE, name.includes('print') ? 60 : 12);
      await looksLike(bytes, 0.01, 0.01, [255, 255, 255]);
    }
  });
}

test('a wide picture is padded with its own colour, and not stretched', async () => {
  const wide = await plain(400, 100, '#c00')
    .composite([{ input: await plain(100, 40, '#fff').png().toBuffer() }])
    .png()
    .toBuffer();
  const resized = await resizeImage(wide);
  assert.deepEqual([resized.width, resized.height], [400, 100]);
  const file = fileOf(resized, 'd', 'png');
  for (const y of [0, 0.2, 0.8, 1]) await looksLike(file, 0.5, y, [204, 0, 0]);
  await looksLike(file, 0.5, 0.5, [255, 255, 255]);
  await looksLike(file, 0.2, 0.5, [204, 0, 0]);
});

test('what cannot be seen of rounded corners is no colour of the edge', async () => {
  const rounded = svg('<rect width="400" height="100" rx="8" fill="#c00"/>', 'width="400" height="100"');
  const file = fileOf(await resizeImage(rounded), 'd', 'png');
  for (const y of [0, 0.2, 0.8, 1]) await looksLike(file, 0.5, y, [204, 0, 0], 3);
});

test('a logo made for dark pages is laid on night, and can be seen', async () => {
  const white = svg('<circle cx="100" cy="100" r="90" fill="#fff"/>');
  const file = fileOf(await resizeImage(white), 'q', 'jpg');
  await looksLike(file, 0.5, 0.5, [255, 255, 255]);
  await looksLike(file, 0.02, 0.02, [27, 31, 39]);
});

test('a small picture is enlarged four times at most', async () => {
  const file = fileOf(
    await resizeImage(
      await plain(32, 32, '#fff')
        .composite([{ input: await plain(30, 30, '#000').png().toBuffer() }])
        .png()
        .toBuffer(),
    ),
    'g',
    'png',
  );
  await looksLike(file, 0.5, 0.5, [0, 0, 0]);
  await looksLike(file, 0.3, 0.5, [255, 255, 255]);
});

test('a photograph is turned as its camera was held, and its notes are dropped', async () => {
  const photo = await plain(60, 120, '#00f')
    .composite([{ input: await plain(60, 60, '#f00').png().toBuffer(), gravity: 'north' }])
    .jpeg()
    .withMetadata({ orientation: 6, exif: { IFD0: { Copyright: 'somebody' } } })
    .toBuffer();
  const resized = await resizeImage(photo);
  assert.deepEqual([resized.width, resized.height], [120, 60]);
  const file = fileOf(resized, 'd', 'png');
  await looksLike(file, 0.75, 0.5, [255, 0, 0]);
  await looksLike(file, 0.25, 0.5, [0, 0, 255]);
});

test('of an animation the first picture is taken', async () => {
  const frames = [await plain(80, 80, '#f00').png().toBuffer(), await plain(80, 80, '#0f0').png().toBuffer()];
  for (const animated of [
    await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer(),
    await sharp(frames, { join: { animated: true } })
      .webp({ lossless: true })
      .toBuffer(),
  ])
    await looksLike(fileOf(await resizeImage(animated), 'q', 'png'), 0.5, 0.5, [255, 0, 0]);
});

for (const bits of [8, 24, 32] as const) {
  test(`an icon of ${bits} bits, and of several the largest`, async () => {
    const ico = icoOf(
      { side: 16, bits, bytes: bitmapOf(16, bits, [0, 0, 0]) },
      { side: 48, bits, bytes: bitmapOf(48, bits, [200, 100, 50]) },
    );
    const resized = await resizeImage(ico);
    assert.equal(resized.width, 48);
    await looksLike(fileOf(resized, 't', 'png'), 0.5, 0.5, [200, 100, 50]);
  });
}

test('a picture of a thousand colours that is large is made smaller', async () => {
  const noise = sharp({
    create: {
      width: 600,
      height: 600,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  });
  const file = fileOf(await resizeImage(await noise.png().toBuffer()), 'g', 'png');
  assert.ok(file.length < 600 * 600 * 1.1, `${file.length} bytes`);
});
