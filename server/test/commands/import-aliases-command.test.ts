import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Pool } from 'pg';
import { poolOf } from '../database/database-server.ts';
import { type Service, startService } from '../end-to-end/service.ts';
import { type Ran, runLongwave } from '../processes/run-longwave.ts';

const folder = mkdtempSync(join(tmpdir(), 'longwave-aliases-'));
let service: Service;
let pool: Pool;
before(async () => {
  service = await startService();
  pool = poolOf(service.databaseUrl, 2);
});
after(async () => {
  await pool.end();
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function importAliases(name: string, text: string, ...options: string[]): Ran {
  const path = join(folder, name);
  writeFileSync(path, text);
  return runLongwave(['import', 'aliases', path, ...options], { DATABASE_URL: service.databaseUrl });
}

async function idOf(name: string): Promise<string> {
  const { rows } = await pool.query<{ id: number }>('SELECT id FROM stations WHERE name = $1', [name]);
  assert.equal(rows.length, 1, name);
  return `s${rows[0]?.id}`;
}

const aliases = async (): Promise<string[]> =>
  (
    await pool.query<{
      a: string;
    }>(`SELECT scheme || ' ' || foreign_id || ' ' || kind || item_id AS a FROM aliases
     WHERE scheme <> 'radio-browser' ORDER BY 1`)
  ).rows.map(({ a }) => a);

const get = async (path: string): Promise<string> =>
  (await fetch(`${service.origin}${path}&partnerId=15&serial=along`)).text();

const BOSE = `<presets>
  <preset id="1"><ContentItem source="TUNEIN" location="/v1/playback/station/s724896"><itemName>HARBOUR FOLK</itemName></ContentItem></preset>
  <preset id="2"><ContentItem source="TUNEIN" location="/v1/playback/station/s700002"><itemName>Nobody Knows FM</itemName></ContentItem></preset></presets>`;

test('a button of a Bose plays its station here: shown first, saved by --apply, answered by every call', async () => {
  const folk = await idOf('Harbour Folk');
  const withoutCountry = importAliases('Presets.xml', BOSE);
  assert.equal(withoutCountry.status, 0, withoutCountry.stderr);
  assert.match(withoutCountry.stdout, /^2 not matched, not saved:$/m);
  assert.match(withoutCountry.stdout, new RegExp(`s724896.*give --country if it is ${folk} Harbour Folk`));

  const preview = importAliases('Presets.xml', BOSE, '--country', 'IE');
  assert.match(
    preview.stdout,
    /^1 would be saved:\n {2}tunein {2}s724896 .*-> s\d+ Harbour Folk {2}by name$/m,
  );
  assert.match(preview.stdout, /^1 not matched, not saved:\n.*s700002 .*none has its name in its country$/m);
  assert.match(preview.stdout, /Nothing was saved/);
  assert.deepEqual(await aliases(), []);
  assert.match(await get('/Tune.ashx?id=s700002'), /<status>4\d\d<|#STATUS: 4|notexist|invalid/i);

  const applied = importAliases('Presets.xml', BOSE, '--country', 'IE', '--apply');
  assert.match(applied.stdout, /^1 saved:$/m);
  assert.deepEqual(await aliases(), [`tunein s724896 ${folk}`]);
  assert.match(
    importAliases('Presets.xml', BOSE, '--country', 'IE', '--apply').stdout,
    /^1 already saved:$/m,
  );

  assert.equal(await get('/Tune.ashx?id=s724896'), await get(`/Tune.ashx?id=${folk}`));
  assert.match(await get('/Describe.ashx?id=s724896'), /<name>Harbour Folk<\/name>/);
  assert.match(await get('/Browse.ashx?id=s724896'), /<status>200<\/status>/);
  assert.match(await get('/Preset.ashx?c=add&id=s724896'), /<status>200<\/status>/);
  assert.match(await get('/Browse.ashx?c=presets'), new RegExp(`guide_id="${folk}"`));
  // What has no match plays nothing.
  assert.doesNotMatch(await get('/Tune.ashx?id=s700002'), /^http/m);
});

test('an id that leads elsewhere stays unless it is to be replaced, and ids of ours are none of others', async () => {
  const [folk, town] = [await idOf('Harbour Folk'), await idOf('Town FM 97.9')];
  const address = 'https://STREAM.example.net:443/townfm979-96.mp3?utm_source=x';
  const list = `name,url,id\nAnything,${address},s724896\nOther,${address},${town}\nThird,${address},s20480077\n`;
  const told = importAliases('list.csv', list, '--apply');
  assert.match(
    told.stdout,
    new RegExp(
      `^1 in conflict, left as they are:\n.*s724896 .*it leads to ${folk} Harbour Folk; --replace`,
      'm',
    ),
  );
  assert.match(told.stdout, /a station of this directory has this id/);
  assert.match(told.stdout, /s20480077 .*this directory gives such ids itself/);
  assert.deepEqual(await aliases(), [`tunein s724896 ${folk}`]);
  const report = join(folder, 'report.jsonl');
  const replaced = importAliases('list.csv', list, '--apply', '--replace', '--report', report);
  assert.match(
    replaced.stdout,
    new RegExp(`^1 changed:\n.*-> ${town} Town FM 97.9 .*by address: it led to ${folk}`, 'm'),
  );
  assert.deepEqual(await aliases(), [`tunein s724896 ${town}`]);
  const lines = readFileSync(report, 'utf8').trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).what),
    ['replaced', 'unmatched', 'unmatched'],
  );
});

test('an id that means two stations in one list, or another one in another directory, is a conflict', async () => {
  const known = await aliases();
  const [folk, town] = ['harbourfolk-128.mp3', 'townfm979-96.mp3'].map(
    (path) => `http://stream.example.net/${path}`,
  );
  const twice = importAliases(
    'twice.csv',
    `name,url,id\nA,${folk},s800001\nB,${town},s800001\n`,
    '--apply',
    '--replace',
  );
  assert.match(twice.stdout, /^2 in conflict[^]*the list has this id for several stations/m);
  const other = importAliases(
    'other.csv',
    `name,url,id\nA,${folk},s724896\n`,
    '--apply',
    '--replace',
    '--scheme',
    'vtuner',
  );
  assert.match(other.stdout, /^1 in conflict[^]*as an id of tunein it leads to s\d+ Town FM 97.9/m);
  assert.deepEqual(await aliases(), known);
});

test('ids of any form are saved under the directory that the operator names, and a station may be chosen', async () => {
  const folk = await idOf('Harbour Folk');
  const list = 'name,url,id\nHarbour Folk,http://stream.example.net/harbourfolk-64.aac,45678\n';
  assert.match(importAliases('numbers.csv', list).stdout, /^1 entries have no id of another directory$/m);
  assert.equal(importAliases('numbers.csv', list, '--scheme', 'vtuner', '--apply').status, 0);
  const pick = importAliases(
    'p.csv',
    'name,url,id\nWho Knows,,s800009\n',
    '--pick',
    `s800009=${folk}`,
    '--apply',
  );
  assert.match(pick.stdout, /^1 saved:\n.*by choice$/m);
  assert.ok((await aliases()).includes(`vtuner 45678 ${folk}`));
  assert.ok((await aliases()).includes(`tunein s800009 ${folk}`));
  const nobody = importAliases('p.csv', 'name,url,id\nWho,,s800010\n', '--pick', 's800010=s99999');
  assert.match(nobody.stdout, /there is no station s99999 here/);
});

const WRONG: [what: string, options: string[], says: RegExp][] = [
  ['a country', ['--country', 'Atlantis'], /'Atlantis' is not a country/],
  ['a scheme', ['--scheme', 'My Radio'], /small letters, digits/],
  ['a format', ['--format', 'docx'], /use one of opml, m3u/],
  ['a choice', ['--pick', 's1'], /such as s24896=s20480013/],
];
for (const [what, options, says] of WRONG)
  test(`${what} that is none is refused`, () => {
    const { status, stderr } = importAliases('list.csv', 'name,url\nA,http://a.example/\n', ...options);
    assert.equal(status, 2);
    assert.match(stderr, says);
  });

test('a file that is no list is told with what it was read as', () => {
  const { status, stderr } = importAliases('bad.xml', '<presets><preset>');
  assert.equal(status, 1);
  assert.match(stderr, /bad\.xml was read as bose: the list is not well-formed XML.*--format/);
});
