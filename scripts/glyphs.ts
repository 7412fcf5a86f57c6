import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { listCharacters } from './glyphs/characters.ts';
import { Font } from './glyphs/font.ts';
import { packGlyphs } from './glyphs/pack.ts';

/**
 * Makes the glyphs of placeholders: `node scripts/glyphs.ts` fetches the Noto Sans fonts from npm into a folder of its
 * own and writes the outlines that are used. At run time the server needs neither the fonts nor a font parser.
 */
const VERSION = '5';
const FONTS =
  'noto-sans noto-sans-sc noto-sans-kr noto-sans-arabic noto-sans-hebrew noto-sans-thaana noto-sans-armenian noto-sans-georgian noto-sans-ethiopic noto-sans-bengali noto-sans-gurmukhi noto-sans-gujarati noto-sans-tamil noto-sans-telugu noto-sans-kannada noto-sans-malayalam noto-sans-sinhala noto-sans-thai noto-sans-lao noto-sans-myanmar noto-sans-khmer';
const TARGET = join(import.meta.dirname, '../server/src/protocols/logos/glyphs/glyphs.br');

const folder = mkdtempSync(join(tmpdir(), 'longwave-glyphs-'));
try {
  const packages = FONTS.split(' ').map((font) => `@fontsource/${font}@${VERSION}`);
  execFileSync('npm', ['install', '--no-save', '--ignore-scripts', '--prefix', folder, ...packages]);
  const glyphs = packGlyphs(listCharacters(), openFonts());
  const quality = constants.BROTLI_MAX_QUALITY;
  const packed = brotliCompressSync(glyphs.bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  writeFileSync(TARGET, packed);
  process.stdout.write(
    `${glyphs.count} letters, ${packed.length} bytes; none for ${glyphs.missing.length}\n`,
  );
} finally {
  rmSync(folder, { recursive: true });
}

/** In order of priority: the first font that has a character draws it. */
function openFonts(): Font[] {
  const files = FONTS.split(' ').flatMap((font) =>
    globSync(`node_modules/@fontsource/${font}/files/*-700-normal.woff`, { cwd: folder }).toSorted(),
  );
  return files.map((file) => new Font(readFileSync(join(folder, file))));
}
