import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { SaxesParser } from 'saxes';
import { ATTRIBUTE_NAMES } from '../../../formats/opml/attributes.ts';
import type { OpmlDocument, Outline } from '../../../formats/opml/document.ts';
import { writeJson } from '../../../formats/opml/write-json.ts';
import { writeXml } from '../../../formats/opml/write-xml.ts';

const STRINGS = 1_000_000;
const PAIRS_PER_DOCUMENT = 3_000;
/** `RANDOM_TEXT_SEED=123 node --test …` repeats a run. */
const seed = Number(process.env['RANDOM_TEXT_SEED'] ?? Date.now() % 2 ** 31);
const links = { origin: 'http://radio.test', suffix: '' };

/** mulberry32: small, and the same everywhere. */
let state = seed;
function randomBelow(limit: number): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
}

const MARKUP = ['&', '<', '>', '"', "'", ']]>', '<![CDATA[', '<!--', '-->', '<?x?>', '</script>'];
const ESCAPES = ['&amp;', '&#0;', '&#x1F;', '&lol;', '\\', '\\u0000', '%00', '{QUERY}'];
const SPACES = ['\t', '\n', '\r', '\r\n', ' ', '  ', '\u2028', '\u2029', '\x85', '\xa0'];
const HALVES = ['\ud800', '\udbff', '\udc00', '\udfff', '\udc00\ud800', '\ud800\0\udc00'];
const EDGES = ['\ufffe', '\uffff', '\ufffd', '\ufeff', '\u{1fffe}', '\u{10ffff}', '\x7f', '\x9f'];
const SCRIPTS = ['\u202e', '\u2066', '\u200f', '\u0301', '👩‍👩‍👧', '東京', 'Łódź', 'Радио', 'راديو'];
const PIECES = [...MARKUP, ...ESCAPES, ...SPACES, ...HALVES, ...EDGES, ...SCRIPTS];
const KINDS = [
  () => PIECES[randomBelow(PIECES.length)] ?? '',
  () => String.fromCharCode(32 + randomBelow(95)),
  () => String.fromCharCode(randomBelow(32)),
  () => String.fromCharCode(randomBelow(0x1_0000)),
  () => String.fromCharCode(0xd800 + randomBelow(0x800)),
  () => String.fromCodePoint(0x1_0000 + randomBelow(0x10_0000)),
];

function randomText(): string {
  let text = '';
  for (let pieces = randomBelow(8); pieces > 0; pieces -= 1)
    text += KINDS[randomBelow(KINDS.length)]?.() ?? '';
  return text;
}

/** The filter as it is documented, by code point, and written apart from the one that is tested. */
function filtered(text: string): string {
  let kept = '';
  for (const character of text.replaceAll('\r\n', '\n')) {
    const code = character.codePointAt(0) ?? 0;
    if (code === 0x9 || code === 0xa || code === 0xd) kept += ' ';
    else if (code >= 0x20 && !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff)
      kept += character;
  }
  return kept;
}

const taken = { strings: 0 };

/** A random text to write, and what a reader must find. */
function sample(): { given: string; found: string } {
  taken.strings += 1;
  const given = randomText();
  return { given, found: filtered(given) };
}

const camelCase = (name: string): string =>
  name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());

/** Every attribute holds text here, also where the types promise a number: the writer relies on no promise. */
const TEXTS = ATTRIBUTE_NAMES.filter((name) => name.toLowerCase() !== 'url').map(
  (name) => [name, camelCase(name)] as const,
);

type Found = Record<string, string | null>;

/** An outline with every attribute, one that leads elsewhere, and a described object; and what is found in each. */
function randomOutlines(): { outlines: Outline[]; found: Found[] } {
  const [param, filter, odd, name] = [sample(), sample(), sample(), sample()];
  const full: Outline = {
    text: '',
    target: { path: '/', params: [['q', param.given]], filter: filter.given },
    attributes: [['albumart.url', odd.given]],
  };
  const found: Found = { 'albumart.url': odd.found, q: param.found, filter: filter.given && filter.found };
  for (const [wireName, key] of TEXTS) {
    const text = sample();
    const isPlace = wireName.endsWith('image');
    Object.assign(full, { [key]: isPlace ? { address: text.given } : text.given });
    found[wireName] = text.found;
  }
  const described: Outline = {
    type: 'object',
    text: 'object',
    object: { element: 'station', fields: [['name', name.given]] },
  };
  return { outlines: [full, described], found: [found, { name: name.found }] };
}

function randomDocument(): { document: OpmlDocument; head: Found; body: Found[] } {
  const [title, fault, code] = [sample(), sample(), sample()];
  const pairs = Array.from({ length: PAIRS_PER_DOCUMENT }, randomOutlines);
  const outlines = pairs.flatMap((pair) => pair.outlines);
  const body = pairs.flatMap((pair) => pair.found);
  // A letter in front, because an empty text has no element of its own in the head.
  if (randomBelow(2) === 0)
    return { document: { title: `T${title.given}`, outlines }, head: { title: `T${title.found}` }, body };
  const document = { status: 400, fault: `F${fault.given}`, faultCode: `C${code.given}`, outlines };
  return { document, head: { fault: `F${fault.found}`, fault_code: `C${code.found}` }, body };
}

/** A link is read as a client would: cut at its parameters. */
function asFound({ type, URL: address, element: _element, ...rest }: Record<string, string>): Found {
  if (address === undefined) return 'name' in rest ? { name: rest['name'] ?? null } : rest;
  const params = new URL(address).searchParams;
  return { ...rest, type: type ?? null, q: params.get('q'), filter: params.get('filter') ?? '' };
}

/** The document as another XML parser sees it; it throws at the first thing that is not well-formed. */
function readXml(text: string): { head: Record<string, string>; body: Record<string, string>[] } {
  const head: Record<string, string> = {};
  const body: Record<string, string>[] = [];
  let content = '';
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    content = '';
    if (name === 'outline') body.push({ ...attributes });
  });
  parser.on('text', (more) => (content += more));
  parser.on('closetag', ({ name }) => {
    if (name === 'name') Object.assign(body.at(-1) ?? {}, { name: content });
    if (['title', 'fault', 'fault_code'].includes(name)) head[name] = content;
  });
  parser.write(text).close();
  return { head, body };
}

function checkWellFormed(file: string): void {
  const run = spawnSync('xmllint', ['--noout', file], { encoding: 'utf8' });
  assert.equal(run.error, undefined, 'xmllint does not run: install the Debian package libxml2-utils');
  assert.equal(run.status, 0, run.stderr.slice(0, 2000));
}

test('a million random texts, in every attribute there is, come out of XML and JSON as the filter says', (t) => {
  t.diagnostic(`RANDOM_TEXT_SEED=${seed}`);
  using folder = mkdtempDisposableSync(join(tmpdir(), 'longwave-opml-'));
  while (taken.strings < STRINGS) {
    const { document, head, body } = randomDocument();
    const xml = writeXml(document, links);
    const file = join(folder.path, 'random.opml');
    writeFileSync(file, xml);
    checkWellFormed(file);
    const fromXml = readXml(xml);
    const fromJson = JSON.parse(writeJson(document, links));
    assert.partialDeepStrictEqual(fromXml.head, head);
    assert.partialDeepStrictEqual(fromJson.head, head);
    assert.equal(fromXml.body.length, body.length);
    assert.equal(fromJson.body.length, body.length);
    for (const [index, found] of body.entries()) {
      assert.deepStrictEqual(asFound(fromXml.body[index] ?? {}), found);
      assert.deepStrictEqual(asFound(fromJson.body[index]), found);
    }
  }
  t.diagnostic(`${taken.strings} strings checked`);
});
