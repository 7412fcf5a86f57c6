import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';

const CHECKOUT = join(import.meta.dirname, '../../..');
const NOT_OURS = ['**/node_modules/**', '**/dist/**'];
/** Where documents and comments may count paths from, beside their own folder. */
const HOMES = ['', 'server', 'server/src', 'server/test', 'server/src/protocols/radiotime', 'client/src'];
/** A change log tells of files as they were. */
const PAST = ['CHANGELOG.md'];
/** Names in documents that no source has, and why. */
const ABSENT: Readonly<Record<string, string>> = {
  MemoryDenyWriteExecute: 'of systemd; our units leave it out',
  bitN: 'stands for bit64 and the like',
  expansionState: 'what other OPML has, and ours has not',
  ...Object.fromEntries(['parseX', 'writeX', 'findX', 'getX', 'listX'].map((name) => [name, 'any such'])),
};

const read = (file: string): string => readFileSync(join(CHECKOUT, file), 'utf8');
const list = (pattern: string): string[] => globSync(pattern, { cwd: CHECKOUT, exclude: NOT_OURS });

const documents = list('{*.md,docs/**/*.md,.github/**/*.md,{client,scripts,server,web}/**/*.md}').filter(
  (file) => !PAST.includes(file),
);
const sources = list('{client,scripts,server,web}/**/*.{ts,tsx,js,sql,sh,json}');
const fileNames = new Set(sources.map((file) => basename(file)));

const FILE = /(?<![\w./:@'-])(?:[\w-]+\/)*[\w*-]+(?:\.[\w*-]+)*\.(?:tsx?|sql|sh)(?![\w*'-])/g;
const FOLDER =
  /`((?:server|client|web|scripts|docs|cli|app|protocols|workers|import|core|storage|net|formats|lib)(?:\/[\w-]+)+)\/?`/g;
const LINK = /\]\((?![a-z]+:|#)([^)#\s]+)/g;
/** A name of the code between backticks: `Exchange`, `holdAccount`, `usePlayer()`. */
const NAME = /`(?:\w+\.)*([a-z]+[A-Z]\w*|[A-Z][a-z]+\w*)(?:\(\))?`/g;
const COMMENT = /\/\*[^]*?\*\/|(?<!:)\/\/[^\n]*/g;

const found = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([whole, part = whole]) => part);

const pathsIn = (text: string): string[] => [...found(text, FILE), ...found(text, FOLDER)];

/** A file's name alone is enough to find it by. */
const isThere = (path: string, homes: readonly string[]): boolean =>
  fileNames.has(path) ||
  homes.some((home) =>
    path.includes('*')
      ? globSync(path, { cwd: join(CHECKOUT, home) }).length > 0
      : existsSync(join(CHECKOUT, home, path)),
  );

test('every file, folder and document that a document names is there', () => {
  assert.ok(documents.length > 40, `${documents.length} documents`);
  const missing: string[] = [];
  let named = 0;
  for (const document of documents) {
    const text = read(document);
    const own = dirname(document);
    for (const path of new Set(pathsIn(text))) {
      named += 1;
      if (!isThere(path, [own, ...HOMES])) missing.push(`${document}: ${path}`);
    }
    for (const path of found(text, LINK))
      if (!isThere(path, [own])) missing.push(`${document}: the link to ${path}`);
  }
  assert.ok(named > 200, `${named} paths`);
  assert.deepEqual(missing, []);
});

test('every name of the code that a document names is there', () => {
  const words = new Set(sources.flatMap((file) => found(read(file), /[A-Za-z_]\w*/g)));
  const missing: string[] = [];
  for (const document of documents)
    for (const name of new Set(found(read(document), NAME)))
      if (!words.has(name) && !(name in ABSENT)) missing.push(`${document}: ${name}`);
  assert.ok(words.size > 10_000, `${words.size} words`);
  assert.deepEqual(missing, []);
});

test('every file that a comment names is there', () => {
  const missing: string[] = [];
  let named = 0;
  for (const file of sources.filter((name) => /\.tsx?$/.test(name))) {
    for (const path of found(read(file), COMMENT).flatMap((comment) => found(comment, FILE))) {
      named += 1;
      if (!isThere(path, [dirname(file), ...HOMES])) missing.push(`${file}: ${path}`);
    }
  }
  assert.ok(named > 10, `${named} paths`);
  assert.deepEqual(missing, []);
});

test('the search finds each kind of name', () => {
  const text =
    'in `net/http/exchange.ts`, drawn as A["core/i18n/*.ts"], and below `formats/hls`; see `x.test.ts`';
  assert.deepEqual(pathsIn(text), ['net/http/exchange.ts', 'core/i18n/*.ts', 'x.test.ts', 'formats/hls']);
  for (const none of ['https://host.example/a/b.ts', 'and/or', '`radio/listen`', 'files of `.ts`'])
    assert.deepEqual(pathsIn(none), [], none);
  assert.deepEqual(found('`Exchange`, `lib.holdAccount()`, `call`, `MAX_IN_FLIGHT`', NAME), [
    'Exchange',
    'holdAccount',
  ]);
});
