import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { en } from '../src/core/i18n/en.ts';

const src = join(import.meta.dirname, '../src');

/** What listeners read is made here. */
const SPEAKING =
  '{protocols/radiotime/{browse,search,describe,tune,options,config,preset,account,report},workers/polling}/**/*.ts';

/** Texts that are English for every caller, each with its reason. */
const ENGLISH: Readonly<Record<string, string>> = {};

/** A text written into an outline or a title, where a word of the caller's language should stand. */
const WRITTEN =
  /(?:\b(?:link|group|text|search)Outline\(\s*|\b(?:title|text|subtext):\s*)('[^'\n]*'|"[^"\n]*"|`[^`\n]*`)/g;

/** The text, if a reader would see a word in it: not a message's key, nor a template of nothing but values. */
function wordsOf(literal: string): string | undefined {
  const text = literal.slice(1, -1);
  if (Object.hasOwn(en, text)) return undefined;
  return /\p{L}{2}/u.test(text.replaceAll(/\$\{[^}]*\}/g, '')) ? text : undefined;
}

function writtenTexts(source: string): string[] {
  return [...source.matchAll(WRITTEN)]
    .map(([, literal = '']) => wordsOf(literal))
    .filter((text) => text !== undefined);
}

test('no slice speaks English to everyone', () => {
  // What looks like a text in queries is the type of a column.
  const files = globSync(SPEAKING, { cwd: src }).filter((file) => !/test\.ts$|queries\.ts$/.test(file));
  assert.ok(files.length > 20);
  const spoken = files.flatMap((file) =>
    writtenTexts(readFileSync(join(src, file), 'utf8')).map((text) => `${file}: ${text}`),
  );
  const unexplained = spoken.filter((place) => !Object.hasOwn(ENGLISH, place));
  assert.deepEqual(unexplained, [], 'add a key to i18n/en.ts, or a reason to ENGLISH');
  const idle = Object.keys(ENGLISH).filter((place) => !spoken.includes(place));
  assert.deepEqual(idle, [], 'no longer said');
});

test('the scan sees what it looks for', () => {
  const source = [
    "linkOutline('Local Radio', target)",
    "groupOutline(\n  'Stations',",
    'textOutline(`All ${name}`)',
    "return { title: 'Browse', outlines };",
    "linkOutline(words.text('browse.local'), target)",
    'textOutline(`${one} (${other})`)',
    "title: ''",
    "const popular = { title: 'browse.index' }",
  ].join('\n');
  assert.deepEqual(writtenTexts(source), ['Local Radio', 'Stations', 'All ${name}', 'Browse']);
});
