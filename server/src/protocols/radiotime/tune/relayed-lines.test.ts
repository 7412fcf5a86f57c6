import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { testApp } from '../../../../test/http-server.ts';
import { ManualClock } from '../../../../test/manual-clock.ts';
import { seededDirectory, type SeededDirectory } from '../../../../test/seeded-directory.ts';
import { StreamBoard } from '../../../core/directory/live/keep-streams.ts';
import { Aliases } from '../../../core/directory/lookup/by-any-id.ts';
import { RelayKeys } from '../../../core/streams/relay/relay-address.ts';
import { RelayLinks } from '../../../core/streams/relay/relay-links.ts';
import { openHand, setFields } from '../../../import/operator/hand.ts';
import { readFields } from '../../../import/operator/field-values.ts';
import { findStationRow } from '../../../storage/catalog/stations/stations.ts';
import { Chooser } from './choice.ts';
import { tune } from './tune.ts';

const NOW = '2026-01-09T12:00:00Z';
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
    origin: undefined,
    port: 8704,
    secureOrigin: undefined,
    isReady: () => true,
    converts: false,
    isServed: () => true,
  });
  const clock = new ManualClock(NOW);
  const deps = { directory, db: database.pool, aliases: new Aliases(database.pool), clock };
  app = testApp([tune({ ...deps, chooser: new Chooser(board, relay) })], { clock }).app;
});
after(async () => {
  await app.close();
  await seeded[Symbol.asyncDispose]();
});

const linesFor = async (query = ''): Promise<string[]> => {
  const { body } = await app.inject({
    url: `/Tune.ashx?id=s${stationId}&device=old-radio${query}`,
    headers: { host: 'radio.test' },
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
