import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Section } from '../../../client/src/conformance/check.ts';
import { Kit } from '../../../client/src/conformance/kit.ts';
import { writeRow } from '../../../client/src/conformance/report.ts';
import { runChecks } from '../../../client/src/conformance/run.ts';
import { SECTIONS } from '../../../client/src/conformance/sections.ts';
import { runLongwave } from '../processes/run-longwave.ts';
import { writeMmdb } from '../content/write-mmdb.ts';
import { startService, type Service } from './service.ts';

const folder = mkdtempSync(join(tmpdir(), 'longwave-conformance-'));
let service: Service;
before(async () => {
  const ADDRESS_DATABASE = join(folder, 'addresses.mmdb');
  const bristol = { city: 'Bristol', country_code: 'GB', latitude: 51.45, longitude: -2.6 };
  writeFileSync(ADDRESS_DATABASE, writeMmdb({ '81.2.69.0/24': bristol }));
  service = await startService({ PARTNERS: 'registered', ADDRESS_DATABASE });
  await playSomething();
  await placeSomebody();
});
after(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** Rows that this directory cannot show, each with the reason. */
const NOT_SHOWN: Readonly<Record<string, string>> = {};

/** One for each account that is read by name: what a kit makes on the server it makes once. */
const kits = new Map<string, Kit>();
after(() => kits.forEach((kit) => kit.close()));

const makeKit = (username: string): Kit =>
  new Kit({
    baseUrl: service.origin,
    httpsBaseUrl: service.secureOrigin,
    partnerId: 'kit',
    username,
    write: true,
    timeoutMs: 30_000,
    maxRequests: 600,
  });

/** Without a song nobody can see how songs are told. */
async function playSomething(): Promise<void> {
  const kit = makeKit('ann');
  const id = await kit.subjects.stationId();
  kit.close();
  const made = runLongwave(['station', 'key', id], { DATABASE_URL: service.databaseUrl });
  const [partnerKey = ''] = made.stdout.split('\n');
  const body = new URLSearchParams({ partnerKey, id, title: 'First Light', artist: 'The Duo' });
  const answer = await fetch(`${service.secureOrigin}/Playing.ashx`, { method: 'POST', body });
  assert.match(await answer.text(), /<status>200</);
}

/** The address database is read at the first question, which does not wait for it. */
async function placeSomebody(): Promise<void> {
  const headers = { 'X-Forwarded-For': '81.2.69.142' };
  for (;;) {
    const answer = await fetch(`${service.origin}/Browse.ashx?c=local`, { headers });
    if ((await answer.text()).includes('key="stations"')) return;
    await sleep(100);
  }
}

/** The rows of a section that do not pass, as the kit prints them. */
async function faultsOf(section: Section, username: string): Promise<string> {
  const kit = kits.getOrInsertComputed(username, makeKit);
  let faults = '';
  for await (const result of runChecks(kit, [section])) {
    const isExcused = result.outcome === 'not applicable' && result.id in NOT_SHOWN;
    if (result.outcome !== 'pass' && !isExcused) faults += writeRow(result);
  }
  return faults;
}

for (const section of SECTIONS) {
  test(`conformance ${section.id}: ${section.title}`, async () => {
    assert.equal(await faultsOf(section, 'ann'), '');
  });
}

test('conformance 4.3, for an account of several folders', async () => {
  const presets = SECTIONS.find(({ id }) => id === '4.3');
  assert.ok(presets);
  assert.equal(await faultsOf(presets, 'bob'), '');
});

test('the command saves with --write, and only then', () => {
  const main = join(import.meta.dirname, '../../../client/bin/longwave-conformance.js');
  const { origin, secureOrigin } = service;
  const args = [
    '--base-url',
    origin,
    '--https-base-url',
    secureOrigin,
    '--partner-id',
    'kit',
    '--section',
    '4.3',
  ];
  const run = (...more: string[]): string =>
    execFileSync(process.execPath, [main, ...args, ...more], { encoding: 'utf8' });
  assert.match(run(), /n\/a {3}4\.3-one-folder .*\n.*give --write/);
  assert.match(run('--write'), /pass {2}4\.3-one-folder /);
});
