import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';

/**
 * The wings of the house, top to bottom. A file imports from its own wing and from those below, never from one above or
 * beside it; `main.ts` stands over all.
 */
const WINGS = [
  ['cli'],
  ['app'],
  ['protocols', 'workers', 'import'],
  ['core'],
  ['storage', 'net'],
  ['formats'],
  ['lib'],
];
/** Folders that stand beside each other in one wing and never import each other, by the folder they are in. */
const APART = ['protocols', 'workers', 'import/sources'];
/** What all workers run on. */
const OPEN = ['workers/runner'];
/** Files over 400 lines, by how their paths begin, with the reason why they are not split. */
const LONG_FILES: Readonly<Record<string, string>> = {
  'server/test/database/statements/explain-samples.ts': 'a table with a line for each statement',
  'web/src/i18n/': 'all words of one language, which who translates reads beside those of another',
};

/** Folders of more than 25 files, and why each may have them. */
const FULL_FOLDERS: Readonly<Record<string, string>> = {
  'core/i18n/translations': 'a file a language, all of one form: who looks for one knows its name',
};

const src = join(import.meta.dirname, '../src');
const files = globSync('**/*.ts', { cwd: src }).filter((file) => !file.endsWith('.test.ts'));
const wingOf = (file: string): number => WINGS.findIndex((wing) => wing.includes(file.split('/')[0] ?? ''));

/** The folder among those apart that a file is in, if any. */
function apart(file: string): string | undefined {
  const wing = APART.find((folder) => file.startsWith(`${folder}/`));
  return wing && file.slice(0, file.indexOf('/', wing.length + 1));
}

const importsOf = (file: string, from = src): string[] =>
  [...readFileSync(join(from, file), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(
    ([, target = '']) => normalize(join(dirname(file), target)),
  );

/** The folders that have more of these files than anybody can look over, without a written reason. */
const tooFull = (among: readonly string[]): string[] =>
  [...Map.groupBy(among, (file) => dirname(file))]
    .filter(([folder, several]) => several.length > 25 && !Object.hasOwn(FULL_FOLDERS, folder))
    .map(([folder, several]) => `${folder}: ${several.length}`);

test('server/src shows the wings and nothing else', () => {
  const entries = new Set(globSync('*', { cwd: src }));
  assert.deepEqual(entries, new Set(['main.ts', ...WINGS.flat()]));
  const inTheHall = files.filter((file) => !file.includes('/'));
  assert.deepEqual(inTheHall, ['main.ts']);
});

test('imports run down the wings only, and what stands apart stays apart', () => {
  const wrong: string[] = [];
  for (const file of files.filter((name) => name.includes('/'))) {
    for (const target of importsOf(file)) {
      if (!mayImport(file, target)) wrong.push(`${file} -> ${target}`);
    }
  }
  assert.deepEqual(wrong, []);
});

function mayImport(file: string, target: string): boolean {
  const [own, theirs] = [wingOf(file), wingOf(target)];
  if (own !== theirs) return own < theirs;
  if (file.split('/')[0] !== target.split('/')[0]) return false;
  const other = apart(target);
  return other === undefined || other === apart(file) || OPEN.includes(other);
}

/** Types too: a reader goes round a circle of types as well. */
for (const folder of ['server/src', 'client/src', 'web/src']) {
  test(`no import runs in a circle in ${folder}`, () => {
    const from = join(import.meta.dirname, '../..', folder);
    const all = new Set(globSync('**/*.{ts,tsx}', { cwd: from, exclude: ['**/*.test.ts'] }));
    assert.ok(all.size > 20, `${all.size} files`);
    const done = new Set<string>();
    const walk = (file: string, path: string[]): void => {
      if (path.includes(file)) assert.fail(`circle: ${[...path, file].join(' -> ')}`);
      if (done.has(file)) return;
      for (const target of importsOf(file, from)) if (all.has(target)) walk(target, [...path, file]);
      done.add(file);
    };
    for (const file of all) walk(file, []);
  });
}

test('no file is over 400 lines without a written reason', () => {
  const root = join(import.meta.dirname, '../..');
  const all = globSync('{server,web,client,scripts}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**'],
  });
  const long = all.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 400);
  assert.ok(all.length > 1000, `${all.length} files`);
  assert.deepEqual(
    long.filter((file) => !Object.keys(LONG_FILES).some((start) => file.startsWith(start))),
    [],
  );
});

test('ideas are whole: few files for their lines, and no folder that nobody can look over', () => {
  const lines = files.reduce(
    (sum, file) => sum + readFileSync(join(src, file), 'utf8').split('\n').length,
    0,
  );
  const aThousand = (1000 * files.length) / lines;
  assert.ok(aThousand <= 9, `${aThousand.toFixed(1)} files for a thousand lines`);
  assert.deepEqual(tooFull(files), []);
});

test('no folder of the tests is one that nobody can look over', () => {
  const tests = globSync('**/*.ts', { cwd: import.meta.dirname });
  assert.ok(tests.length > 400, `${tests.length} files`);
  assert.deepEqual(tooFull(tests), []);
  assert.deepEqual(
    tests.filter((file) => !file.includes('/')).toSorted(),
    ['architecture.test.ts', 'listener-words.test.ts', 'supply-chain.test.ts'],
    'at the top stand only tests of all source; everything else has a folder, as README.md there says',
  );
});

/** Folders of the site and of the client with more than 25 files, and why each may. */
const LARGE_FOLDERS: Readonly<Record<string, string>> = {
  'web/src/i18n/translations': 'a file a language, all of one form: who looks for one knows its name',
};

test('no folder of the site or of the client is too large to look over', () => {
  const root = join(import.meta.dirname, '../..');
  const all = globSync('{web,client}/src/**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.ts'] });
  assert.ok(all.length > 400, `${all.length} files`);
  const folders = Map.groupBy(all, (file) => dirname(file));
  const large = [...folders].filter(([, several]) => several.length > 25).map(([folder]) => folder);
  assert.deepEqual(large.toSorted(), Object.keys(LARGE_FOLDERS).toSorted());
});

test('every folder of the tests is in their README, and no other', () => {
  const folders = globSync('*/', { cwd: import.meta.dirname }).map((folder) => folder.replace(/\/$/, ''));
  const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
  const told = [...readme.matchAll(/`([a-z-]+)\/`/g)].map(([, folder = '']) => folder);
  assert.deepEqual(told.toSorted(), folders.toSorted());
});

test('only config.ts reads the environment', () => {
  const readers = files.filter((file) => /process\.env\b/.test(readFileSync(join(src, file), 'utf8')));
  assert.deepEqual(
    readers.filter((file) => file !== 'app/config.ts'),
    [],
  );
});

test('no name says nothing', () => {
  const empty = /(^|\/)(utils?|helpers?|common|service|manager|base|index)(\.ts|\/)/;
  assert.deepEqual(
    files.filter((file) => empty.test(file)),
    [],
  );
});

/** Who gives text to `JSON.parse` itself, and whose text that is; strangers' goes through `lib/parse-json`. */
const MAY_PARSE_JSON: Readonly<Record<string, string>> = {
  'lib/parse-json.ts': "everybody else's, once its depth is known",
  'core/search/finder.ts': 'keys it wrote itself',
  'import/pipeline/rederive.ts': 'facts the database checked to be JSON',
  'core/feeds/save-feed.ts': 'topics a thread of this process wrote',
  'import/sources/places/current-states.ts': 'a file of a package this program is installed with',
  'import/sources/places/postal-codes.ts': 'a file of a package this program is installed with',
};

const parsers = (folder: string, among: readonly string[]): string[] =>
  among
    .filter((file) => /JSON\.parse\(|\.json\(\)/.test(readFileSync(join(folder, file), 'utf8')))
    .toSorted();

test('JSON of strangers is parsed in one place only, and that of servers too', () => {
  assert.deepEqual(parsers(src, files), Object.keys(MAY_PARSE_JSON).toSorted());
  const client = join(import.meta.dirname, '../../client/src');
  const ofTheSdk = globSync('**/*.ts', { cwd: client, exclude: ['**/*.test.ts'] });
  assert.deepEqual(parsers(client, ofTheSdk), ['parse-json.ts']);
});

/** Ways out of the process, by how source calls or imports them. */
const WAYS_OUT = new RegExp(
  [
    String.raw`(?<![.\w])fetch\(`,
    String.raw`from '(?:undici|node:dns(?:/promises)?|node:dgram|node:http2|nodemailer)'`,
    // A whole module under one name hides what is used of it.
    String.raw`import (?:\* as )?\w+ from 'node:(?:net|tls|https?)'`,
    String.raw`import \{[^}]*\b(?:connect|createConnection|request|get)\b[^}]*\} from 'node:(?:net|tls|https?)'`,
  ].join('|'),
);
const MAY_GO_OUT: Readonly<Record<string, string>> = {
  'net/fetch/': 'the one guarded way to addresses that others give',
  'net/dns/': "questions of the house, to the operator's own resolvers",
  'net/ssdp/': 'the home network: announcements to its group, answers to who asked in it',
  'net/mailer.ts': "mail, to the operator's own server",
  'cli/container/healthcheck.ts': 'this machine, at the private port of its settings',
  'net/traces.ts': "traces, to the operator's own collector",
};

test('nothing opens a connection to the outside but what is made for it', () => {
  const out = files.filter((file) => WAYS_OUT.test(readFileSync(join(src, file), 'utf8')));
  const unexpected = out.filter(
    (file) => !Object.keys(MAY_GO_OUT).some((allowed) => file.startsWith(allowed)),
  );
  assert.deepEqual(unexpected, []);
  for (const allowed of Object.keys(MAY_GO_OUT))
    assert.ok(
      out.some((file) => file.startsWith(allowed)),
      allowed,
    );
});

test('the search for ways out finds each of them', () => {
  const ways = [
    'await fetch(url)',
    "import { Client } from 'undici';",
    "import { lookup } from 'node:dns/promises';",
    "import { connect } from 'node:net';",
    "import { type Socket, connect, isIP } from 'node:net';",
    "import { request } from 'node:http';",
    "import https from 'node:https';",
    "import * as tls from 'node:tls';",
  ];
  for (const way of ways) assert.match(way, WAYS_OUT);
  for (const none of ['cache.fetch(key)', "import { createServer } from 'node:http';"])
    assert.doesNotMatch(none, WAYS_OUT);
});

const EXPORTED = /^export (?:abstract |async )*(?:class|interface|type|const|function\*?|enum) (\w+)/gm;
/** Exported names that two files share, and why each may. */
const SHARED_NAMES: Readonly<Record<string, string>> = {};

test('an exported name means one thing in all of the server', () => {
  const places = new Map<string, Set<string>>();
  for (const file of files)
    for (const [, name = ''] of readFileSync(join(src, file), 'utf8').matchAll(EXPORTED))
      places.set(name, (places.get(name) ?? new Set()).add(file));
  const twice = [...places].filter(([, where]) => where.size > 1);
  assert.ok(places.size > 1500, `${places.size} names`);
  assert.deepEqual(
    twice.filter(([name]) => !Object.hasOwn(SHARED_NAMES, name)).map(([name, where]) => [name, ...where]),
    [],
  );
});
