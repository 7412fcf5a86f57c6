import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Cost, fleetFor, type Measured } from './fleet.ts';
import { callsPerSecond, hearing, peakCallsPerSecond, sum } from './listeners.ts';

const COST: Cost = { service: 100, database: 50, bytes: 9750 };
const MEASURED: Measured = {
  costs: {
    menu: COST,
    near: COST,
    search: COST,
    tune: COST,
    describe: COST,
    'now playing': COST,
    presets: COST,
    save: COST,
  },
  processBytes: 400e6,
  accountBytes: 2000,
};
const PRICES = { core: 10, terabyteOut: 1, gigabyteDisk: 0.1 };
const MILLION = 1e6;

test('75 million listeners a month are 586,000 who hear something and 25,000 calls a second in the busiest hour', () => {
  assert.equal(Math.round(hearing(75 * MILLION) / 1000), 586);
  const peak = sum(peakCallsPerSecond(75 * MILLION));
  assert.ok(peak > 24_000 && peak < 30_000, String(peak));
  assert.ok(sum(callsPerSecond(75 * MILLION)) < peak / 2);
});

test('a house has one machine, and a fleet can lose one place of three', () => {
  assert.equal(fleetFor(5, MEASURED, PRICES).servers, 1);
  const fleet = fleetFor(75 * MILLION, MEASURED, PRICES);
  assert.equal(fleet.serviceCores % 3, 0);
  assert.ok(fleet.serviceBusy / ((fleet.serviceCores * 2) / 3) <= 0.4);
  assert.ok(fleet.databaseBusy / (fleet.databaseCores / 3) <= 0.4);
});

test('twice the listeners are twice the calls, bytes and disk', () => {
  const [one, two] = [fleetFor(MILLION, MEASURED, PRICES), fleetFor(2 * MILLION, MEASURED, PRICES)];
  assert.equal(two.callsAtPeak / one.callsAtPeak, 2);
  assert.equal(two.bytesOutAMonth / one.bytesOutAMonth, 2);
  assert.equal(two.databaseBytes / one.databaseBytes, 2);
  assert.ok(two.moneyAMonth > one.moneyAMonth);
});

test('what leaves is paid by the terabyte', () => {
  const [cheap, dear] = [1, 51].map((terabyteOut) => fleetFor(MILLION, MEASURED, { ...PRICES, terabyteOut }));
  const terabytes = (cheap?.bytesOutAMonth ?? 0) / 1e12;
  assert.ok(Math.abs((dear?.moneyAMonth ?? 0) - (cheap?.moneyAMonth ?? 0) - 50 * terabytes) < 1e-6);
});
