import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ListsApp, listsApp } from '../../../test/apps/lists-app.ts';
import { formatBit } from '../../lib/stream-format.ts';
import type { Snapshot } from '../directory/snapshot/snapshot.ts';
import { wordsFor } from '../i18n/words.ts';
import { Finder } from '../search/finder.ts';
import { type Folder, type FolderItem, openFolder, openStations, ROOT_ID } from './folder.ts';
import { searchFolder } from './found-items.ts';
import { listSaved } from './saved-items.ts';

let app: ListsApp;
let snapshot: Snapshot;
before(async () => {
  app = await listsApp();
  snapshot = app.snapshot();
});
after(() => app?.[Symbol.asyncDispose]());

const ALL = { offset: 0, limit: 1000, words: wordsFor('en'), callerAddress: '192.168.1.20' };
const open = (id: string, request: Partial<typeof ALL> & { formats?: number } = {}): Folder =>
  openFolder(snapshot, id, { ...ALL, ...request }) ?? assert.fail(id);

test('from the root every folder is reached, and every folder leads back to the one it is in', () => {
  const seen = new Map<string, Folder>();
  const stations = new Set<string>();
  const walk = (id: string, from: string | undefined): void => {
    const folder = open(id);
    assert.equal(folder.parentId, from, id);
    assert.ok(!seen.has(id), `${id} is reached twice`);
    seen.set(id, folder);
    assert.equal(folder.items.length, folder.total, id);
    assert.ok(folder.title !== '');
    for (const item of folder.items) {
      if (item.kind === 'folder') walk(item.id, id);
      if (item.kind === 'station') stations.add(item.id);
    }
  };
  walk(ROOT_ID, undefined);
  assert.ok(seen.size > 30, `${seen.size} folders`);
  assert.equal(stations.size, snapshot.stations.length);
});

test('a folder says how many stations are in it', () => {
  for (const item of open('r0').items) {
    assert.equal(item.kind, 'folder');
    const inside = new Set<string>();
    const walk = (id: string): void => {
      for (const one of open(id).items)
        if (one.kind === 'folder') walk(one.id);
        else inside.add(one.id);
    };
    walk(item.id);
    assert.equal(inside.size, item.kind === 'folder' && item.count, item.title);
  }
});

test('windows of any size, one after the other, are the whole folder', () => {
  const [music] = snapshot.topGenres;
  const id = `g${music?.id}`;
  const whole = open(id);
  assert.ok(
    whole.items.some(({ kind }) => kind === 'folder') && whole.items.some(({ kind }) => kind === 'station'),
  );
  for (const limit of [1, 3, 8, 10, 1000]) {
    const parts: FolderItem[] = [];
    for (let offset = 0; offset < whole.total; offset += limit) {
      const { items, total } = open(id, { offset, limit });
      assert.equal(total, whole.total);
      assert.ok(items.length <= limit);
      parts.push(...items);
    }
    assert.deepEqual(parts, whole.items, `by ${limit}`);
  }
  assert.deepEqual(open(id, { offset: whole.total }).items, []);
  assert.deepEqual(open(id, { offset: -5, limit: 2 }).items, whole.items.slice(0, 2));
});

test('only what the caller plays is in it and counted', () => {
  const [music] = snapshot.topGenres;
  const aac = formatBit('aac');
  const { items, total } = openStations(snapshot, `g${music?.id}`, { ...ALL, formats: aac }) ?? assert.fail();
  assert.equal(items.length, total);
  assert.ok(total > 0 && total < (music?.stationCount ?? 0));
  assert.ok(items.every(({ station }) => (station.formats & aac) !== 0));
});

test('names are in the language of the caller', () => {
  assert.ok(open('r0', { words: wordsFor('de') }).items.some((item) => item.title === 'Europa'));
  const country = [...snapshot.regionById.values()].find(({ code }) => code === 'country:DE');
  assert.equal(open(`r${country?.id}`, { words: wordsFor('fr') }).title, 'Allemagne');
});

test('a country is the folder of its place, and nothing else is a folder', () => {
  const [id] = [...snapshot.countryById].find(([, { code }]) => code === 'IE') ?? [];
  assert.ok(open(`n${id}`).items.length > 0);
  for (const unknown of [
    '',
    'x',
    's1',
    'g999999',
    'r999999',
    'l999999',
    'n999999',
    'a999999',
    'p101',
    'constructor',
  ])
    assert.equal(openFolder(snapshot, unknown, ALL), undefined, unknown);
});

test('a search is a folder of stations and then shows', async () => {
  const { pool } = app.database;
  const sources = { snapshot, finder: new Finder(pool), aliases: { find: async () => undefined } };
  const found = await searchFolder(sources, 'evening', ALL);
  assert.equal(found.total, found.items.length);
  assert.ok(found.items.some((item) => item.kind === 'show' && item.id === 'p101'));
  const byId = await searchFolder(sources, 's1', ALL);
  assert.equal(byId.items[0]?.id, 's1');
  const window = await searchFolder(sources, 'evening', { ...ALL, offset: 1, limit: 2 });
  assert.deepEqual(window.items, found.items.slice(1, 3));
});

test('what an account saved comes folder by folder, without what is gone', async () => {
  const folders = await listSaved(app.database.pool, snapshot, 7);
  assert.deepEqual(
    folders.map(({ name, items }) => [name, items.map(({ id }) => id)]),
    [
      ['General', ['s1', 'p101', `u${3 * 1024 + 7}`]],
      ['Küche & Bad', []],
      ['Empty one', []],
    ],
  );
});
