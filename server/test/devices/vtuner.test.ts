import assert from 'node:assert/strict';
import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { importStations } from '../../src/import/pipeline/import-stations.ts';
import { readRadioBrowser } from '../../src/import/sources/radio-browser/record.ts';
import { SEED_FILE } from '../database/made-databases.ts';
import { vtunerApp, type VtunerApp } from '../apps/vtuner-app.ts';
import { type RadioModel, reachableStations } from './radio-model.ts';
import { sendBytes } from './send-bytes.ts';
import { VTUNER_MODELS } from './vtuner-models.ts';
import { linkOf, VtunerRadio, type VtunerTraits } from './vtuner-radio.ts';
import type { VtunerEntry } from './vtuner-reader.ts';

let app: VtunerApp;
before(async () => {
  app = await vtunerApp();
});
after(() => app[Symbol.asyncDispose]());

const radioOf = (traits: VtunerTraits): VtunerRadio =>
  new VtunerRadio(traits, sendBytes(app.port), `${traits.name} 1`);

const isWorld = (entry: VtunerEntry): boolean => linkOf(entry).endsWith('gofile=r0');

/** Opens the first folder, and in it the first one, until there are stations on the third level or below. */
async function browseDown(radio: RadioModel<VtunerEntry>): Promise<{ station: VtunerEntry; level: number }> {
  const { entries } = await radio.boot();
  let folder = entries.find(isWorld) ?? assert.fail('no list of places');
  for (let level = 2; level < 8; level += 1) {
    const menu = await radio.openWhole(folder);
    const station = menu.entries.find(({ kind }) => kind === 'station');
    if (station && level >= 3) return { station, level };
    folder =
      menu.entries.find(({ kind }) => kind === 'folder') ?? assert.fail(`a dead end on level ${level}`);
  }
  return assert.fail('no station');
}

const remembered = new Map<string, VtunerEntry>();

for (const traits of VTUNER_MODELS)
  test(`${traits.name}: boots, browses, pages, searches, plays, saves and recalls`, async () => {
    const radio = radioOf(traits);
    const { station, level } = await browseDown(radio);
    assert.ok(level >= 3);
    assert.match(station.id, /^LW\d+$/);
    const address = await radio.play(station);
    assert.match(address, /^http:\/\/stream\.example\.net\//, 'a stream by plain HTTP');

    const found = await radio.search('harbour');
    assert.ok(
      found.entries.some(({ title }) => title === 'Harbour Folk'),
      found.entries.map(({ title }) => title).join(),
    );
    assert.equal(
      (await radio.search('xyzzy nowhere')).entries[0]?.kind,
      'text',
      'a line instead of an empty list',
    );

    assert.equal((await radio.favourites()).entries[0]?.kind, 'text');
    await radio.save(station);
    await radio.save(station);
    const kept = (await radio.favourites()).entries;
    assert.deepEqual(
      kept.map(({ id, title }) => [id, title]),
      [[station.id, station.title]],
    );
    assert.equal(await radio.play(kept[0]!), address);
    assert.equal(await radio.recall(station), address);
    remembered.set(traits.name, station);
  });

test('favourites of one radio are not those of another', async () => {
  const [traits] = VTUNER_MODELS;
  const stranger = new VtunerRadio(traits!, sendBytes(app.port), 'never seen');
  await stranger.boot();
  assert.equal((await stranger.favourites()).entries[0]?.kind, 'text');
});

for (const name of ['yamaha', 'sagem', 'frontier'])
  test(`${name}: every station can be reached by browsing`, async () => {
    const radio = radioOf(VTUNER_MODELS.find((each) => each.name === name)!);
    const reached = await reachableStations(radio, linkOf);
    const all = app.snapshot().stations.map(({ id }) => `LW${id}`);
    assert.deepEqual([...reached].toSorted(), all.toSorted());
  });

test('after another import the favourites of every radio still play, from where the station is now', async () => {
  const file = `${process.env['TMPDIR'] ?? '/tmp'}/moved-${process.pid}.jsonl`;
  const moved = readFileSync(SEED_FILE, 'utf8').replaceAll(
    'http://stream.example.net/',
    'http://stream.example.org/',
  );
  writeFileSync(file, moved);
  const { pool } = app.database;
  await importStations({ pool, source: 'seed', items: readRadioBrowser(createReadStream(file)) });
  await app.refresh();
  for (const traits of VTUNER_MODELS) {
    const station = remembered.get(traits.name) ?? assert.fail(`${traits.name} has saved nothing`);
    const radio = radioOf(traits);
    await radio.boot();
    const [kept] = (await radio.favourites()).entries;
    assert.equal(kept?.id, station.id, traits.name);
    assert.match(await radio.play(kept), /^http:\/\/stream\.example\.org\//, traits.name);
    assert.match(
      await radio.recall(station),
      /^http:\/\/stream\.example\.org\//,
      `${traits.name}, by its own memory`,
    );
    await radio.save(kept);
    assert.equal(
      (await radio.favourites()).entries[0]?.kind,
      'text',
      'the key removes what is among the favourites',
    );
  }
});
