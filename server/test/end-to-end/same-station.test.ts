import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Directory, openDirectory } from '../../src/core/directory/directory.ts';
import { mergeStations } from '../../src/import/operator/regroup.ts';
import { openHand } from '../../src/import/operator/hand.ts';
import { importStations } from '../../src/import/pipeline/import-stations.ts';
import { createLog } from '../../src/lib/log.ts';
import { makeAuthority } from '../servers/certificates.ts';
import { seededDatabase, type TestDatabase } from '../database/database.ts';
import { readers, type Reader } from '../apps/protocol-readers.ts';
import { type ServiceProcess, startService } from '../processes/service-process.ts';
import { serveUpnp } from '../apps/upnp-app.ts';
import { type Said, sourceItems } from '../content/station-records.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const PLACES = ['IE', 'DE', 'US', 'JP', 'BR'];
const GENRES = ['folk', 'jazz', 'news', 'classical', 'rock'];
const CODECS = ['MP3', 'AAC', 'MP3', 'OGG', 'MP3'];
const NAMES = ['Harbour', 'Lantern & <Sons>', 'Überraschung', '海の音', 'Quiet "Room"'];

/** Stations of many kinds: by HTTPS only, by HLS only, in formats that some devices lack. */
const RECORDS: Said[] = Array.from({ length: 120 }, (_none, index) => ({
  record: `r${index}`,
  name: `${NAMES[index % 5]} ${index}`,
  countryCode: PLACES[Math.floor(index / 5) % 5]!,
  tags: [GENRES[Math.floor(index / 3) % 5]!],
  codec: CODECS[index % 5]!,
  hls: index % 11 === 0,
  address: `${index % 4 === 0 ? 'https' : 'http'}://stream${index}.radio-haven.net/sound?a=1&b=${index}`,
  votes: index,
}));

const folder = mkdtempSync(join(tmpdir(), 'longwave-same-station-'));
let database: TestDatabase;
let service: ServiceProcess;
let directory: Directory;
let mediaServer: Awaited<ReturnType<typeof serveUpnp>>;
let all: Reader[];
/** Our number of a station, by its record. */
let numbers: Map<string, number>;

async function readNumbers(): Promise<Map<string, number>> {
  const { rows } = await database.pool.query<{ record: string; station_id: number }>(
    `SELECT record, station_id::int FROM station_records WHERE source = 'test'`,
  );
  return new Map(rows.map(({ record, station_id }) => [record, station_id]));
}

before(async () => {
  database = await seededDatabase();
  await database.pool.query('TRUNCATE stations CASCADE');
  await importStations({ pool: database.pool, source: 'test', items: sourceItems(RECORDS) });
  numbers = await readNumbers();
  const { key, cert } = makeAuthority().issue('DNS:nobody.example');
  const [TLS_KEY_FILE, TLS_CERT_FILE] = [join(folder, 'key'), join(folder, 'cert')];
  writeFileSync(TLS_KEY_FILE, key, { mode: 0o600 });
  writeFileSync(TLS_CERT_FILE, cert);
  service = await startService(database.url, { HTTPS_PORT: '0', TLS_KEY_FILE, TLS_CERT_FILE });
  const { pool, url: databaseUrl } = database;
  directory = await openDirectory({ pool, databaseUrl, log: createLog({ level: 'silent' }) });
  mediaServer = await serveUpnp(pool, directory);
  all = readers(service, mediaServer.origin);
});
after(async () => {
  for (const opened of [mediaServer, directory, service]) await opened?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

test('a station that one protocol leads to is reached by all of them', async () => {
  const listed = new Set(numbers.values());
  assert.equal(listed.size, RECORDS.length);
  for (const { name, browse } of all) {
    const reached = await browse();
    assert.deepEqual(listed.difference(reached), new Set(), `not reached by ${name}`);
    assert.deepEqual(reached.difference(listed), new Set(), `of ${name} alone`);
  }
});

test('for one kind of device it plays the same stream in all of them', async () => {
  for (const { name, play, tune } of all) {
    if (!play || !tune) continue;
    const heard: string[] = [];
    for (const number of numbers.values()) {
      const address = await play(number);
      assert.equal(address, await tune(number), `s${number} by ${name}`);
      if (address !== undefined) heard.push(address);
    }
    assert.ok(heard.length > RECORDS.length / 2, `${name} plays ${heard.length}`);
    assert.equal(new Set(heard).size, heard.length, `two stations of ${name} are one`);
  }
});

test('its ids lead to it after another import, and to what it was merged into', async () => {
  const renamed = RECORDS.map((said) => ({ ...said, name: `${said.name} renamed` }));
  await importStations({ pool: database.pool, source: 'test', items: sourceItems(renamed) });
  assert.deepEqual(await readNumbers(), numbers);
  const [kept = 0, gone = 0] = ['r1', 'r2'].map((record) => numbers.get(record));
  await openHand(database.pool)({ who: 'ann' }, (hand) => mergeStations(hand, kept, gone));
  for (const { name, show } of all) {
    if (!show) continue;
    // The directory is read anew behind the scenes.
    for (
      const end = performance.now() + 60_000;
      !(await show(gone))?.endsWith(' 1 renamed');
      await sleep(100)
    )
      assert.ok(performance.now() < end, `${name} still says ${await show(gone)}`);
    assert.equal(await show(gone), await show(kept), name);
    assert.match((await show(numbers.get('r7') ?? 0)) ?? '', / 7 renamed$/, name);
  }
  for (const { name, play, tune } of all)
    if (play && tune)
      assert.equal(await play(gone), await tune(kept), `${name} plays what it was merged into`);
});
