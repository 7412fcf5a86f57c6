import assert from 'node:assert/strict';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Caller, undisturbed } from '../../../bench/call/turns.ts';
import { pathsIn } from '../../../bench/load/menu-calls.ts';
import { openMenuContenders, ROWS } from '../../../bench/load/menu-contenders.ts';
import { importStations } from '../../../src/import/pipeline/import-stations.ts';
import { readRadioBrowser } from '../../../src/import/sources/radio-browser/record.ts';
import { testDatabaseWithPlaces } from '../../database/database.ts';
import { SAMPLE_STATIONS, withoutRealData } from '../../content/real-data.ts';

const CHECKOUT = join(import.meta.dirname, '../../../..');
/** The best of three; where that is too little, of as many more as show whether it was the machine. */
const PASSES = 3;
const MAX_PASSES = 9;
/** Of each in a pass, by turns, so that what else the machine does is the same for all. */
const [TURNS, ANSWERS, WARM_UP] = [16, 250, 16];
/** Of three thousand stations these are a dozen genres of several pages. */
const MIN_STATIONS = 200;

/**
 * The CPU that a bare server takes to send the same bytes, as a share of what the whole service takes in the same pass. What is
 * asked for is 0.70, 0.60 and 0.20 for an application, a device and what is nearest; `npm run bench -- call-layers` tells where
 * the rest goes. These leave room for a busy machine, where what is fetched from memory suffers most.
 */
const FLOORS: [row: keyof typeof ROWS, floor: number][] = [
  ['application', 0.65],
  ['device', 0.52],
  ['anew', 0.23],
  ['cold', 0.24],
  ['nearest', 0.16],
];

interface Measured {
  row: keyof typeof ROWS;
  floor: number;
  ratio: number;
}

/** One pass over all, by their names. */
async function pass(callers: ReadonlyMap<string, Caller>, turns: number): Promise<Map<string, number>> {
  const took = new Map<string, number[]>();
  for (let turn = 0; turn < turns; turn += 1)
    for (const [name, caller] of callers)
      took.getOrInsertComputed(name, () => []).push(await caller.turn(ANSWERS));
  return new Map(Array.from(took, ([name, all]) => [name, undisturbed(all)]));
}

function bestOf(passes: readonly Map<string, number>[], row: keyof typeof ROWS, floor: number): Measured {
  const ratios = passes.map((took) => took.get(ROWS.bare)! / took.get(ROWS[row])!);
  return { row, floor, ratio: Number(Math.max(...ratios).toFixed(3)) };
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
    using callers = new DisposableStack();
    const byName = new Map(
      menus.contenders.map(({ name, url, pids, script }): [string, Caller] => {
        const { port, pathname, search } = new URL(url);
        const paths = script === undefined ? [pathname + search] : pathsIn(script);
        return [name, callers.use(new Caller({ pid: pids[0] ?? 0, port: Number(port) }, paths))];
      }),
    );
    await pass(byName, WARM_UP);
    let slower: Measured[] = [];
    const passes: Map<string, number>[] = [];
    while (passes.length < PASSES || (slower.length > 0 && passes.length < MAX_PASSES)) {
      passes.push(await pass(byName, TURNS));
      const best = FLOORS.map(([row, floor]) => bestOf(passes, row, floor));
      slower = best.filter(({ ratio, floor }) => ratio < floor);
      console.log(best.map(({ row, ratio, floor }) => `${row} ${ratio} (at least ${floor})`).join(', '));
    }
    assert.deepEqual(
      slower,
      [],
      'these cost more CPU than they did; see where with `npm run bench -- call-layers`',
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
