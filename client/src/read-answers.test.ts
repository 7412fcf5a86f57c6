import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { DirectoryAnswer } from './answer.ts';
import type { Outline } from './outline.ts';
import { readJson } from './read-json.ts';
import { readXml } from './read-xml.ts';

const SERVER = join(import.meta.dirname, '../../server/src/protocols/radiotime');
const PAIRS = globSync('{config,describe,outlines}/golden/*.json', { cwd: SERVER })
  .map((file) => [file, file.replace(/json$/, 'opml')] as const)
  .filter(([, opml]) => globSync(opml, { cwd: SERVER }).length > 0);

/** Numbers that nobody knows are empty in XML and null in JSON; a described item is titled only in XML. */
const comparable = ({ text, type, attributes, children, described }: Outline): unknown =>
  described ? described : { text, type, attributes, children: children.map(comparable) };

/** In XML a fault's text may stand as the title too. */
const headOf = ({ status, title, fault, faultCode }: DirectoryAnswer): unknown => ({
  status,
  title: status === 200 ? title : undefined,
  fault,
  faultCode,
});

test('every golden answer of the server is the same value in both renderings', () => {
  assert.ok(PAIRS.length > 30);
  for (const [json, opml] of PAIRS) {
    const fromJson = readJson(readFileSync(join(SERVER, json), 'utf8'));
    const fromXml = readXml(readFileSync(join(SERVER, opml), 'utf8'));
    assert.deepEqual(headOf(fromJson), headOf(fromXml), json);
    assert.deepEqual(fromJson.outlines.map(comparable), fromXml.outlines.map(comparable), json);
  }
});

test('an outline has its attributes by name, with numbers as numbers', () => {
  const { outlines } = readXml(
    `<opml version="1"><head><status>200</status></head><body>
     <outline type="audio" text="A &amp; B" URL="http://r/Tune.ashx?id=s1" bitrate="128" reliability="" guide_id="s1" preset_number="4" new_one="x"/>
     </body></opml>`,
  );
  const [{ text, url, bitrate, reliability, guideId, presetNumber, key, attributes } = assert.fail()] =
    outlines;
  assert.deepEqual([text, url, guideId, key], ['A & B', 'http://r/Tune.ashx?id=s1', 's1', undefined]);
  assert.deepEqual([bitrate, reliability, presetNumber, attributes['new_one']], [128, undefined, 4, 'x']);
});

test('what is no answer of a directory is refused', () => {
  for (const text of ['', '<html>', '<p>Hello</p>']) assert.throws(() => valid(readXml(text)));
  for (const text of ['', '[]', '{}', '{"head":1,"body":[]}', '<opml>']) assert.throws(() => readJson(text));
});

function valid({ status }: { status: number }): void {
  assert.ok(status >= 200);
}

const nested = (levels: number): string => '{"children":['.repeat(levels / 2) + ']}'.repeat(levels / 2);
const answer = (inside: string): string => `{"head":{"status":"200"},"body":[${inside}]}`;

test('JSON that is nested without end is refused before it is parsed, whatever its strings hold', () => {
  assert.equal(readJson(answer(nested(190))).outlines.length, 1);
  assert.throws(() => readJson(answer(nested(400))), { name: 'SyntaxError', message: /200 levels/ });
  // What corrupts the memory of Node 26.
  assert.throws(() => readJson(`${'[1,'.repeat(9000)}1`), { message: /200 levels/ });
  const text = `${'[{'.repeat(500)}\\"${'[{'.repeat(500)}\\`;
  const [outline] = readJson(answer(JSON.stringify({ text }))).outlines;
  assert.equal(outline?.text, text);
});
