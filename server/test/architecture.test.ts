import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';

/** Bottom to top. A folder imports only from floors below its own; folders of one floor never import each other. */
const FLOORS = [
  ['lib'],
  ['db', 'cache', 'formats', 'words', 'geoip', 'devices'],
  ['catalog', 'members'],
  ['directory', 'opml', 'jobs', 'intake', 'tuner', 'playing'],
  ['http'],
  [
    'browse',
    'tune',
    'search',
    'describe',
    'preset',
    'account',
    'report',
    'config-endpoint',
    'options',
    'logos',
    'pictures',
    'probe',
    'crawl',
    'websub',
    'nowplaying',
    'air',
    'schedules',
    'site',
    'site-api',
    'import/places',
    'import/radio-browser',
    'import/m3u',
    'import/opml',
    'import/csv',
    'import/podcasts',
    'import/schedule',
  ],
  ['commands'],
];
/** The commands and the wiring beside `main.ts` stand on the roof together. */
const TOP = FLOORS.length - 1;
/** Files over 400 lines, by how their paths begin, with the reason why they are not split. */
const LONG_FILES: Readonly<Record<string, string>> = {
  'web/src/words/': 'all words of one language, which who translates reads beside those of another',
};

const src = join(import.meta.dirname, '../src');
const files = globSync('**/*.ts', { cwd: src }).filter((file) => !file.endsWith('.test.ts'));
const floorOf = (room: string): number => FLOORS.findIndex((floor) => floor.includes(room));

/** The room a file is in: its folder, or the two first ones inside import/; '' for the wiring at the top. */
function roomOf(file: string): string {
  const folders = file.split('/').slice(0, -1);
  return folders.slice(0, folders[0] === 'import' ? 2 : 1).join('/');
}

const importsOf = (file: string): string[] =>
  [...readFileSync(join(src, file), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(
    ([, target = '']) => normalize(join(dirname(file), target)),
  );

test('every folder is on a floor', () => {
  const homeless = files.filter((file) => file.includes('/') && floorOf(roomOf(file)) === -1);
  assert.deepEqual(homeless, []);
});

test('imports go down the floors only', () => {
  const wrong: string[] = [];
  for (const file of files.filter((name) => name.includes('/'))) {
    const from = roomOf(file);
    for (const target of importsOf(file)) {
      const to = roomOf(target);
      if (from === 'commands' ? to === 'commands' || floorOf(to) < TOP : to === from) continue;
      if (to === '' || floorOf(to) >= floorOf(from)) wrong.push(`${file} -> ${target}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('no import runs in a circle', () => {
  const done = new Set<string>();
  const walk = (file: string, path: string[]): void => {
    if (path.includes(file)) assert.fail(`circle: ${[...path, file].join(' -> ')}`);
    if (done.has(file)) return;
    for (const target of importsOf(file)) if (files.includes(target)) walk(target, [...path, file]);
    done.add(file);
  };
  for (const file of files) walk(file, []);
});

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

test('only config.ts reads the environment', () => {
  const readers = files.filter((file) => /process\.env\b/.test(readFileSync(join(src, file), 'utf8')));
  assert.deepEqual(
    readers.filter((file) => file !== 'config.ts'),
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
  'search/finder.ts': 'keys it wrote itself',
  'intake/rederive.ts': 'facts the database checked to be JSON',
  'intake/feeds/save-feed.ts': 'topics a thread of this process wrote',
  'import/places/current-states.ts': 'a file of a package this program is installed with',
  'import/places/postal-codes.ts': 'a file of a package this program is installed with',
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
  'lib/fetch-safely/': 'the one guarded way to addresses that others give',
  'lib/post.ts': "mail, to the operator's own server",
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
