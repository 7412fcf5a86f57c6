import assert from 'node:assert/strict';
import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { type MmdbOptions, MmdbUint, type MmdbValue, writeMmdb } from '../../../test/content/write-mmdb.ts';
import { createLog } from '../../lib/log.ts';
import type { AddressPlace } from './address-file.ts';
import { type AddressPlaces, CREDIT, databasePaths, openAddressPlaces } from './address-places.ts';

const folder = mkdtempSync(join(tmpdir(), 'longwave-geoip-'));
after(() => rmSync(folder, { recursive: true }));

const nested = (code: string, latitude: number, longitude: number): MmdbValue => ({
  city: { geoname_id: new MmdbUint(7), names: { en: 'a town with a name of more than 28 letters' } },
  country: { iso_code: code },
  location: { latitude, longitude, accuracy_radius: new MmdbUint(20, 'uint16') },
});
const CORK = nested('IE', 51.9, -8.5);
const OSAKA = nested('JP', 34.69, 135.5);
const inCork: AddressPlace = {
  coordinate: { latitude: 51.9, longitude: -8.5 },
  countryCode: 'IE',
  precise: true,
};

interface Opened extends AsyncDisposable {
  places: AddressPlaces;
  file: string;
  lines: string[];
}

let files = 0;

/** Addresses placed by a file of the given bytes, looked at every few milliseconds. */
function open(bytes: Buffer | undefined): Opened {
  const file = join(folder, `${(files += 1)}.mmdb`);
  if (bytes) writeFileSync(file, bytes);
  const lines: string[] = [];
  const log = createLog({ level: 'info', sink: { write: (line) => void lines.push(line) } });
  const places = openAddressPlaces({ database: file, log, checkEveryMs: 5 });
  return { places, file, lines, [Symbol.asyncDispose]: () => places[Symbol.asyncDispose]() };
}

const openNetworks = (networks: Readonly<Record<string, MmdbValue>>, options?: MmdbOptions): Opened =>
  open(writeMmdb(networks, options));

/** The country of an address once it is the expected one, or whatever it is after two seconds. */
async function countryOf(
  places: AddressPlaces,
  address: string,
  expected: string,
): Promise<string | undefined> {
  for (let turn = 0; turn < 200; turn += 1) {
    if (places.find(address)?.countryCode === expected) break;
    await sleep(10);
  }
  return places.find(address)?.countryCode;
}

test('one file places the addresses of both families', async () => {
  await using opened = openNetworks({ '81.2.69.0/24': CORK, '2a02:6b8::/32': OSAKA });
  const { places } = opened;
  assert.equal(await countryOf(places, '81.2.69.142', 'IE'), 'IE');
  assert.deepEqual(places.find('81.2.69.142'), inCork);
  assert.deepEqual(places.find('::ffff:81.2.69.1'), inCork, 'IPv4 as a listener for both families has it');
  assert.equal(places.find('2a02:6b8::1')?.countryCode, 'JP');
  assert.equal(places.find('81.2.70.1'), undefined);
  assert.equal(places.find('2a03::1'), undefined);
});

test('a file of IPv4 alone knows nothing of IPv6', async () => {
  await using opened = openNetworks({ '32.0.0.0/3': CORK }, { ipVersion: 4 });
  assert.equal(await countryOf(opened.places, '33.0.0.1', 'IE'), 'IE');
  assert.equal(opened.places.find('2a02:6b8::1'), undefined, 'its first bits are those of 32.0.0.0/3');
});

test('nothing is read before someone calls from outside, and no answer waits for it', async () => {
  await using opened = openNetworks({ '0.0.0.0/1': CORK });
  const { places, lines } = opened;
  const inside = [
    '192.168.1.7',
    '10.0.0.1',
    '127.0.0.1',
    '169.254.1.1',
    '100.64.0.9',
    '::1',
    'fe80::1',
    'fd00::1',
  ];
  for (const address of inside) assert.equal(places.find(address), undefined, address);
  await sleep(30);
  assert.deepEqual(lines, []);
  assert.equal(places.find('81.2.69.142'), undefined, 'the first question does not wait');
  assert.equal(await countryOf(places, '81.2.69.142', 'IE'), 'IE');
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /"databaseType":"Test-City".*the address database was loaded/);
  for (const address of inside) assert.equal(places.find(address), undefined, `${address} with all known`);
});

test('a new file moved to its place is taken into use', async () => {
  await using opened = openNetworks({ '81.2.69.0/24': CORK });
  const { places, file } = opened;
  assert.equal(await countryOf(places, '81.2.69.1', 'IE'), 'IE');
  writeFileSync(`${file}.new`, writeMmdb({ '81.2.69.0/24': OSAKA }));
  // Of the same size and time as the old one: only the file is another.
  utimesSync(file, 1_800_000_000, 1_800_000_000);
  await sleep(50);
  utimesSync(`${file}.new`, 1_800_000_000, 1_800_000_000);
  assert.equal(statSync(`${file}.new`).size, statSync(file).size);
  renameSync(`${file}.new`, file);
  assert.equal(await countryOf(places, '81.2.69.1', 'JP'), 'JP');
});

test('a file half written, broken or gone leaves the old one in use, told once', async () => {
  await using opened = openNetworks({ '81.2.69.0/24': CORK });
  const { places, file, lines } = opened;
  assert.equal(await countryOf(places, '81.2.69.1', 'IE'), 'IE');
  const next = writeMmdb({ '81.2.69.0/24': OSAKA });
  const broken: [bytes: Buffer, reason: RegExp][] = [
    [next.subarray(0, next.length / 2), /not an \.mmdb file, or is incomplete/],
    [Buffer.alloc(0), /not an \.mmdb file, or is incomplete/],
    [next.subarray(next.indexOf('MaxMind.com') - 3), /shorter than its metadata says/],
  ];
  for (const [bytes, reason] of broken) {
    lines.length = 0;
    writeFileSync(file, bytes);
    for (let turn = 0; turn < 200 && !reason.test(lines.join()); turn += 1) await sleep(10);
    await sleep(50);
    assert.equal(places.find('81.2.69.1')?.countryCode, 'IE');
    // Writing empties the file first, which may be seen as a state of its own.
    assert.ok(lines.length === 1 || lines.length === 2, `not one a look: ${lines.length}`);
    assert.match(lines.at(-1) ?? '', reason);
    assert.match(lines.at(-1) ?? '', /the previous one stays in use; set ADDRESS_DATABASE/);
  }
  rmSync(file);
  await sleep(50);
  assert.equal(places.find('81.2.69.1')?.countryCode, 'IE');
  writeFileSync(file, next);
  assert.equal(await countryOf(places, '81.2.69.1', 'JP'), 'JP');
});

test('a file that is not there yet is told of at the start and found when it comes', async () => {
  await using opened = open(undefined);
  const { places, file, lines } = opened;
  assert.match(lines.join(), /"level":"warn".*ENOENT.*check ADDRESS_DATABASE/);
  assert.equal(places.find('81.2.69.1'), undefined);
  writeFileSync(`${file}.new`, writeMmdb({ '81.2.69.0/24': CORK }));
  copyFileSync(`${file}.new`, file);
  assert.equal(await countryOf(places, '81.2.69.1', 'IE'), 'IE');
});

test('records whose pointers lead nowhere answer nothing', async () => {
  const bytes = writeMmdb({ '81.2.69.0/24': CORK, '81.2.70.0/24': OSAKA });
  const record = bytes.indexOf('city') - 2;
  bytes.fill(0xff, record, record + 60);
  await using opened = open(bytes);
  assert.equal(await countryOf(opened.places, '81.2.70.1', 'JP'), 'JP');
  assert.equal(opened.places.find('81.2.69.1'), undefined);
});

test('whatever the text, an answer and no error', async () => {
  await using opened = openNetworks({ '0.0.0.0/1': CORK });
  const { places } = opened;
  assert.equal(await countryOf(places, '81.2.69.1', 'IE'), 'IE');
  for (const text of [
    '',
    ' ',
    '81.2.69',
    '81.2.69.999',
    '0x51.2.69.1',
    '81.2.69.1:80',
    'fe80::1%eth0',
    '::%',
    '1',
  ])
    assert.equal(places.find(text), undefined, text);
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.ipV4Extended(), fc.ipV6()), (text) => void places.find(text)),
  );
});

test('none is none', async () => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', sink: { write: (line) => void lines.push(line) } });
  await using places = openAddressPlaces({ database: 'none', log });
  assert.equal(places.find('81.2.69.1'), undefined);
  await places.reload();
  assert.match(lines.join(), /no address database.*HOME_PLACE/);
});

const installed = databasePaths(undefined);
test(
  'the packaged database',
  { skip: installed ? false : 'the optional package is not installed' },
  async () => {
    await using places = openAddressPlaces({ database: undefined, log: createLog({ level: 'silent' }) });
    assert.equal(await countryOf(places, '133.1.2.3', 'JP'), 'JP');
    assert.equal(await countryOf(places, '2a02:8109::1', 'DE'), 'DE');
    const { coordinate, precise } = places.find('133.1.2.3') ?? {};
    assert.equal(precise, true);
    assert.ok(Math.abs((coordinate?.latitude ?? 0) - 34.8) < 2, 'Osaka University');
  },
);

test('an operator’s file is for both families, and none is none', () => {
  assert.deepEqual(databasePaths('/data/city.mmdb'), { ipv4: '/data/city.mmdb', ipv6: '/data/city.mmdb' });
  assert.equal(databasePaths('none'), undefined);
});

test('the credit that the packaged data asks for is on our first page', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../../../README.md'), 'utf8');
  assert.ok(readme.includes(`[${CREDIT.text}](${CREDIT.url})`));
});
