import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { drawPlaceholder, tintOf, TINTS } from './draw.ts';
import { hasGlyph } from './glyphs/glyphs.ts';

type Colour = readonly number[];

/** As the Web Content Accessibility Guidelines have it. */
const linear = (channel: number): number =>
  channel / 255 <= 0.040_45 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4;
const luminance = ([r = 0, g = 0, b = 0]: Colour): number =>
  0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
const contrastWithWhite = (colour: Colour): number => 1.05 / (luminance(colour) + 0.05);

interface Drawn {
  /** Red, green and blue of a point. */
  at: (x: number, y: number) => Colour;
  side: number;
}

async function draw(id: string, initials: string): Promise<Drawn> {
  const { bytes } = await drawPlaceholder(id, initials, 'd', 'png');
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  assert.equal(info.channels, 3);
  return {
    side: info.width,
    at: (x, y) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)],
  };
}

const isWhite = (colour: Colour): boolean => Math.min(...colour) > 240;
const idOfTint = (tint: number): string =>
  Array.from({ length: 500 }, (_, n) => `s${n}`).find((id) => tintOf(id) === tint) ?? assert.fail();

/** The smallest square around what is white, as left, top, right and bottom. */
function whiteBox({ side, at }: Drawn): [number, number, number, number] {
  const box: [number, number, number, number] = [side, side, 0, 0];
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1)
      if (isWhite(at(x, y))) {
        box[0] = Math.min(box[0], x);
        box[1] = Math.min(box[1], y);
        box[2] = Math.max(box[2], x);
        box[3] = Math.max(box[3], y);
      }
  return box;
}

for (const tint of TINTS.keys()) {
  test(`white letters stand out from tint ${tint}, wherever they are`, async () => {
    const drawn = await draw(idOfTint(tint), '東');
    const [, top] = whiteBox(drawn);
    assert.ok(
      contrastWithWhite(drawn.at(0, top)) >= 4,
      `${contrastWithWhite(drawn.at(0, top)).toFixed(2)} at the top of the letters`,
    );
    assert.ok(contrastWithWhite(drawn.at(0, 0)) >= 3, 'and at the edge');
  });
}

for (const initials of [
  'RP',
  'W',
  'I',
  'MW',
  '100',
  'ΕΑ',
  'РМ',
  '東',
  '한',
  'ラ',
  'ر',
  'ק',
  'พ',
  'ए',
  'ኢ',
  'Ö1',
]) {
  test(`${initials} is drawn in the middle, large and not to the edge`, async () => {
    const drawn = await draw('s1', initials);
    const [left, top, right, bottom] = whiteBox(drawn);
    assert.ok(Math.abs(left - (drawn.side - 1 - right)) <= 4, `${left} left, ${right} right`);
    assert.ok(Math.abs(top - (drawn.side - 1 - bottom)) <= 4, `${top} top, ${bottom} bottom`);
    assert.ok(left >= drawn.side * 0.15 && top >= drawn.side * 0.2);
    assert.ok(bottom - top >= drawn.side * 0.2);
  });
}

test('letters of one name do not touch', async () => {
  const drawn = await draw('s1', 'MM');
  const [left, top, right, bottom] = whiteBox(drawn);
  const isFree = (x: number): boolean => {
    for (let y = top; y <= bottom; y += 1) if (isWhite(drawn.at(x, y))) return false;
    return true;
  };
  const middle = Math.round((left + right) / 2);
  assert.ok(isFree(middle));
});

test('there are letters for every script that stations are named in', () => {
  const scripts = 'AЯΩԱႠאعދअবਅઅஅఅಅഅඅกກကአកあア中東한';
  for (const letter of scripts) assert.ok(hasGlyph(letter), letter);
  assert.ok(!hasGlyph('🎵'));
});

test('the same picture is drawn once', async () => {
  const [one, other] = await Promise.all([
    drawPlaceholder('s1', 'AB', 'q', 'png'),
    drawPlaceholder('s1', 'AB', 'q', 'png'),
  ]);
  assert.equal(one, other);
});
