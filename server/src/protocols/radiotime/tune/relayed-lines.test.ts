import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { testApp } from '../../../../test/apps/http-server.ts';
import { ManualClock } from '../../../../test/time/manual-clock.ts';
import { seededDirectory, type SeededDirectory } from '../../../../test/content/seeded-directory.ts';
import { StreamBoard } from '../../../core/directory/live/keep-streams.ts';
import { Aliases } from '../../../core/directory/lookup/by-any-id.ts';
import { RelayKeys } from '../../../core/streams/relay/relay-address.ts';
import { RelayLinks } from '../../../core/streams/relay/relay-links.ts';
import { addPartner, changePartner, type PartnerRow } from '../../../core/accounts/partners/partners.ts';
import { openHand, setFields } from '../../../import/operator/hand.ts';
import { readFields } from '../../../import/operator/field-values.ts';
import { isHomeAddress } from '../../../net/dns/own-addresses.ts';
import { parseNetwork } from '../../../net/http/caller/addresses.ts';
import { findStationRow } from '../../../storage/catalog/stations/stations.ts';
import { Chooser } from './choice.ts';
import { tune } from './tune.ts';

const NOW = '2026-01-09T12:00:00Z';
/** In the country of the relay, and abroad. */
const [NEAR, ABROAD] = ['8.8.8.8', '9.9.9.9'];
const board = new StreamBoard();
const keys = new RelayKeys('a key of thirty-two characters 01');

let seeded: SeededDirectory;
let app: FastifyInstance;
let stationId = 0;

before(async () => {
  seeded = await seededDirectory();
  const { directory, database } = seeded;
  const station =
    directory.current().stations.find(({ name }) => name === 'Harbour Folk') ?? assert.fail('no station');
  stationId = station.id;
  for (const stream of station.streams) board.learn({ ...stream, address: 'https://harbour.example/' }, 0);
  const relay = new RelayLinks({
    keys,
    relays: [{ origin: undefined, secureOrigin: undefined, isReady: () => true }],
    port: 8704,
    converts: false,
    isHome: isHomeAddress,
    isInCountry: (address) => address === NEAR,
  });
  const clock = new ManualClock(NOW);
  const deps = { directory, db: database.pool, aliases: new Aliases(database.pool), clock };
  await addPartner(database.pool, { id: 'quay-1', name: 'Quay' });
  const partner = await changePartner(database.pool, 'quay-1', { relay: true });
  const others = await addPartner(database.pool, { id: 'other', name: 'Other' });
  const partners = new Map([partner, others].map((row) => [row?.id, row]));
  app = testApp([tune({ ...deps, chooser: new Chooser(board, relay) })], {
    clock,
    findPartner: (id): PartnerRow | undefined => partners.get(id),
    trustedProxies: [parseNetwork('127.0.0.1') ?? assert.fail()],
  }).app;
});
after(async () => {
  await app.close();
  await seeded[Symbol.asyncDispose]();
});

const linesFor = async (query = '', from = '192.168.1.5'): Promise<string[]> => {
  const { body } = await app.inject({
    url: `/Tune.ashx?id=s${stationId}&device=old-radio${query}`,
    headers: { host: 'radio.test', 'x-forwarded-for': from },
  });
  return body.split('\n').filter((line) => line.startsWith('http'));
};
const isRelayed = (line: string): boolean => line.startsWith('http://radio.test:8704/r/');

/** As an operator says it; until the directory has it. */
async function say(word: string): Promise<void> {
  const { directory, database } = seeded;
  const { promise: swapped, resolve } = Promise.withResolvers<void>();
  const stop = directory.onSwap(() => resolve());
  const row = (await findStationRow(database.pool, stationId)) ?? assert.fail();
  const fields = await readFields(database.pool, row, [word]);
  await openHand(database.pool)({ who: 'ann' }, (hand) => setFields(hand, stationId, fields));
  await swapped;
  stop();
}

test('a station that says never is offered as without a relay, and again when that is taken back', async () => {
  assert.ok((await linesFor()).some(isRelayed));
  await say('relay=never');
  assert.ok(!(await linesFor()).some(isRelayed));
  await say('relay=');
  assert.ok((await linesFor()).some(isRelayed));
});

test('who reads JSON is told which addresses are the relay’s', async () => {
  const { body } = await app.inject({
    url: `/Tune.ashx?id=s${stationId}&device=old-radio&render=json`,
    headers: { host: 'radio.test', 'x-forwarded-for': '192.168.1.5' },
  });
  const lines: { url: string; is_relayed?: boolean }[] = JSON.parse(body).body;
  assert.ok(lines.some(({ url }) => isRelayed(url)));
  for (const { url, is_relayed: said } of lines) assert.equal(said, isRelayed(url) || undefined, url);
});

const HOURS = 3_600_000;
const goodFor = (lines: string[]): number => {
  const path =
    lines.find(isRelayed)?.slice('http://radio.test:8704'.length) ?? assert.fail('no relayed line');
  const now = Date.parse(NOW);
  for (const hours of [5, 7, 29 * 24]) if (keys.read(path, now + hours * HOURS)?.isExpired) return hours;
  return Infinity;
};

test('from elsewhere only radios of a partner with an agreement are sent to it, for some hours', async () => {
  assert.equal(goodFor(await linesFor()), Infinity);
  assert.equal(goodFor(await linesFor('&partnerId=quay-1')), Infinity);
  assert.equal(goodFor(await linesFor('&partnerId=quay-1', NEAR)), 7);
  for (const query of ['', '&partnerId=other', '&partnerId=nobody'])
    assert.ok(!(await linesFor(query, NEAR)).some(isRelayed), query);
});

test('no station is sent abroad that has not said it may be', async () => {
  assert.ok(!(await linesFor('&partnerId=quay-1', ABROAD)).some(isRelayed));
  await say('relay=each');
  assert.ok((await linesFor('&partnerId=quay-1', ABROAD)).some(isRelayed));
  assert.ok(!(await linesFor('&partnerId=other', ABROAD)).some(isRelayed));
  await say('relay=');
});
