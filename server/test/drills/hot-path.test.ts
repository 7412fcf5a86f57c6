import assert from 'node:assert/strict';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openMenuContenders, ROWS } from '../../bench/load/menu-contenders.ts';
import { playRounds } from '../../bench/load/rounds.ts';
import type { Round } from '../../bench/load/wrk.ts';
import { importStations } from '../../src/import/pipeline/import-stations.ts';
import { readRadioBrowser } from '../../src/import/sources/radio-browser/record.ts';
import { testDatabaseWithPlaces } from '../database.ts';
import { SAMPLE_STATIONS, withoutRealData } from '../real-data.ts';

const CHECKOUT = join(import.meta.dirname, '../../..');
/** The best of three; where that is too little, of as many more as show whether it was the machine. */
const ROUNDS = 3;
const MAX_ROUNDS = 12;
const SECONDS = 1;
/** Of three thousand stations these are a dozen genres of several pages. */
const MIN_STATIONS = 200;

/**
 * The CPU that a bare server takes to send the same bytes, as a share of what the whole service takes, each in the best of
 * its rounds. `npm run bench -- browse` prints what a large directory and a quiet machine make of it; these leave room for a
 * busy one, and are above what was measured when every call of a device was hashed and noted while it was answered.
 */
const FLOORS: [row: keyof typeof ROWS, floor: number][] = [
  ['application', 0.45],
  ['device', 0.32],
  ['anew', 0.19],
  ['cold', 0.19],
  ['nearest', 0.12],
];

interface Measured {
  row: keyof typeof ROWS;
  floor: number;
  ratio: number;
}

/** Each in the best of its rounds: what else the machine does makes a round worse, and none better. */
function bestOf(rounds: readonly Map<string, Round[]>[], row: keyof typeof ROWS, floor: number): Measured {
  const least = (name: string): number =>
    Math.min(...rounds.map((round) => round.get(name)?.[0]?.cpuMicros ?? Number.NaN));
  return { row, floor, ratio: Number((least(ROWS.bare) / least(ROWS[row])).toFixed(3)) };
}

test('menus cost no more beside a bare server than they did', { skip: withoutRealData }, async () => {
  await using database = await testDatabaseWithPlaces();
  const { pool, url: databaseUrl } = database;
  const items = readRadioBrowser(createReadStream(SAMPLE_STATIONS));
  await importStations({ pool, source: 'radio-browser', items });
  const folder = mkdtempSync(join(tmpdir(), 'longwave-hot-path-'));
  try {
    const side = { folder: CHECKOUT, databaseUrl, label: '' };
    await using menus = await openMenuContenders(folder, [side], MIN_STATIONS);
    let slower: Measured[] = [];
    const rounds: Map<string, Round[]>[] = [];
    while (rounds.length < ROUNDS || (slower.length > 0 && rounds.length < MAX_ROUNDS)) {
      rounds.push(await playRounds(menus.contenders, { rounds: 1, seconds: SECONDS }));
      const best = FLOORS.map(([row, floor]) => bestOf(rounds, row, floor));
      slower = best.filter(({ ratio, floor }) => ratio < floor);
      console.log(best.map(({ row, ratio, floor }) => `${row} ${ratio} (at least ${floor})`).join(', '));
    }
    assert.deepEqual(
      slower,
      [],
      'these cost more CPU than they did; see where with `npm run bench -- browse`',
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
