import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededDirectory, type SeededDirectory } from '../content/seeded-directory.ts';
import { type MmdbValue, writeMmdb } from '../content/write-mmdb.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
const CALLER = '81.2.69.142';

const town = (country_code: string, latitude: number, longitude: number): MmdbValue => ({
  city: 'a town',
  country_code,
  latitude,
  longitude,
});
const addresses = (place: MmdbValue): Buffer => writeMmdb({ '81.2.69.0/24': place });

const folder = mkdtempSync(join(tmpdir(), 'longwave-locale-'));
const addressFile = join(folder, 'addresses.mmdb');
let seeded: SeededDirectory;
let server: ChildProcess;
let origin: string;

before(async () => {
  seeded = await seededDirectory();
  writeFileSync(addressFile, addresses(town('IE', 51.9, -8.5)));
  const ports = { HTTP_HOST: '127.0.0.1', HTTP_PORT: '0', PRIVATE_PORT: '0' };
  const settings = { DATABASE_URL: seeded.database.url, ADDRESS_DATABASE: addressFile };
  server = spawn(process.execPath, [MAIN, 'serve'], {
    env: { ...process.env, ...ports, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  origin = `http://127.0.0.1:${await portOf(server)}`;
});
after(async () => {
  if (server.exitCode === null && server.kill('SIGTERM')) await once(server, 'exit');
  await seeded[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function portOf({ stdout }: ChildProcess): Promise<number> {
  assert.ok(stdout);
  const lines = createInterface({ input: stdout });
  try {
    for await (const line of lines) {
      const entry: { msg: string; httpPort: number } = JSON.parse(line);
      if (entry.msg === 'serving') return entry.httpPort;
    }
  } finally {
    stdout.resume();
  }
  throw new Error('the server ended before it was ready');
}

async function get(query: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(`${origin}/Browse.ashx?${query}`, { headers });
  const body = await response.text();
  assert.match(body, /<status>200<\/status>/, query);
  return body;
}

const textsOf = (body: string): string[] =>
  [...body.matchAll(/ text="([^"]*)"/g)].map(([, text = '']) => text);
const titleOf = (body: string): string | undefined => /<title>([^<]*)<\/title>/.exec(body)?.[1];
const linksOf = (body: string): string[] => [...body.matchAll(/ URL="([^"]*)"/g)].map(([, url = '']) => url);

const INDEX = {
  de: ['Lokalradio', 'Talk', 'Sport', 'Musik', 'Nach Ort', 'Nach Sprache', 'Podcasts', 'Meine Favoriten'],
  'pt-BR': [
    'Rádio local',
    'Conversas',
    'Esportes',
    'Música',
    'Por local',
    'Por idioma',
    'Podcasts',
    'Meus favoritos',
  ],
  en_GB: ['Local Radio', 'Talk', 'Sports', 'Music', 'By Location', 'By Language', 'Podcasts', 'My Presets'],
  xx: ['Local Radio', 'Talk', 'Sports', 'Music', 'By Location', 'By Language', 'Podcasts', 'My Presets'],
};
for (const [locale, texts] of Object.entries(INDEX)) {
  test(`locale=${locale}: the index, and links that ask for the same`, async () => {
    const body = await get(`locale=${locale}`, { 'accept-language': 'fr' });
    assert.deepEqual(textsOf(body), texts);
    for (const link of linksOf(body)) assert.match(link, /[?&;]locale=/, link);
    const [first = ''] = linksOf(body).filter((link) => link.includes('c=music'));
    const followed = await (await fetch(first.replaceAll('&amp;', '&'))).text();
    assert.equal(titleOf(followed), texts[3]);
  });
}

test('Accept-Language: a genre in Japanese, the links without a locale of their own', async () => {
  const headers = { 'accept-language': 'ja,en;q=0.5' };
  const body = await get('id=g1005', headers);
  assert.equal(titleOf(body), 'ポップス');
  assert.ok(textsOf(body).includes('放送局'));
  assert.ok(linksOf(body).every((link) => !link.includes('locale=')));
});

test('places and languages have the names and the order of the caller’s language', async () => {
  const continents = textsOf(await get('id=r0&locale=de'));
  assert.ok(continents.includes('Europa'), continents.join());
  const languages = textsOf(await get('c=lang&locale=fr'));
  assert.ok(languages.includes('Allemand') && languages.includes('Anglais'), languages.join());
  assert.deepEqual(languages, languages.toSorted(new Intl.Collator('fr').compare));
});

test('what clients match stays English', async () => {
  assert.match(await get('id=g1000&locale=de'), /text="More Stations"[^>]*key="nextStations"/);
  const fault = await (await fetch(`${origin}/Browse.ashx?c=nonsense&locale=de`)).text();
  assert.match(fault, /<fault>Invalid root category<\/fault>/);
});

/** The stations around whoever calls from an address, once the address is known. */
async function firstNearby(expected: RegExp): Promise<string> {
  let first = '';
  for (let turn = 0; turn < 100 && !expected.test(first); turn += 1) {
    const body = await get('c=local', { 'x-forwarded-for': CALLER });
    first = / type="audio" text="([^"]*)"/.exec(body)?.[1] ?? '';
    await sleep(50);
  }
  return first;
}

/** As an updater does it: a new file in the place of the old one, then the signal. */
function replaceAddresses(place: MmdbValue): void {
  writeFileSync(`${addressFile}.new`, addresses(place));
  renameSync(`${addressFile}.new`, addressFile);
  server.kill('SIGHUP');
}

test('a caller is placed by its address, and by a new database after SIGHUP', async () => {
  assert.match(await get('c=local'), /type="link"/, 'at home nothing is known of the place');
  assert.match(await firstNearby(/Harbour/), /Harbour/);
  replaceAddresses(town('JP', 35.68, 139.69));
  assert.match(await firstNearby(/月下ラジオ/), /月下ラジオ/);
  replaceAddresses({ country: { iso_code: 'GR' } });
  assert.match(await firstNearby(/Αιγαίο/), /Αιγαίο/, 'of a country alone its stations');
});
