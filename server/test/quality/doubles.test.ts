import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { withoutRealData } from '../content/real-data.ts';
import { baseName, doublesIn } from './doubles.ts';
import { readLists } from './lists.ts';
import { openRealLists, type RealLists } from './real-lists.ts';
import { FEW, type Line } from './report.ts';
import { firstLines, isKnownList, readJudged } from './sample.ts';

/** As many as people type every day. */
const QUERIES = 200;

const CHARTS = ['popular', 'trending', 'best'].map((chart) => `/Browse.ashx?c=${chart}`);
const GENRES = ['g1005', 'g1095', 'g1205', 'g1240', 'g1270', 'g2005'].map(
  (id) => `/Browse.ashx?id=${id}&filter=s`,
);

test('names are compared without what comes and goes', () => {
  assert.equal(baseName('Rádio Band FM 96.1 FM'), baseName('Band FM'));
  assert.equal(baseName('Rock & Pop 95.9 FM'), baseName('Rock And Pop'));
  assert.notEqual(baseName('NRK P1'), baseName('NRK P1+'));
  assert.notEqual(baseName('Radio 1'), baseName('FM 1'));
  assert.notEqual(baseName('Radio Marca'), baseName('Radio Marca Madrid'));
});

test('no list has a station or a family twice in its first lines', { skip: withoutRealData }, async (t) => {
  await using real = await openRealLists();
  const { cities, queries } = readLists();
  const doubles: string[] = [];
  let lines = 0;
  const look = (list: string, all: readonly Line[]): void => {
    const first = all.slice(0, FEW);
    lines += first.length;
    for (const { first: one, second, why } of doublesIn(first, real.snapshot))
      doubles.push(`${list}: ${one.guideId} ${one.text} = ${second.guideId} ${second.text} (${why})`);
  };
  for (const city of cities) look(city.name, await real.local(city));
  for (const query of queries.slice(0, QUERIES)) look(query.text, await real.search(query));
  for (const url of [...CHARTS, ...GENRES]) look(url, await real.ask(url));
  t.diagnostic(`${lines} lines of ${cities.length + QUERIES + CHARTS.length + GENRES.length} lists`);
  const judged = readJudged();
  const still = await stillProduced(real);
  t.diagnostic(`${still} of ${judged.length} judged lines are still among the first of their lists`);
  assert.deepEqual(doubles, []);
  assert.ok(lines > 2500, `${lines} lines`);
  assert.ok(still > 0, 'the lists are asked for in another way than those that were judged');
});

/** How many of the judged lines the directory still shows; it changes with every catalogue. */
async function stillProduced(real: RealLists): Promise<number> {
  const shown = new Map<string, Set<string>>();
  let still = 0;
  for (const { list, text } of readJudged()) {
    let texts = shown.get(list);
    if (!texts)
      shown.set(list, (texts = new Set((await firstLines(real, list))?.map((line) => line.text) ?? [])));
    if (texts.has(text)) still += 1;
  }
  return still;
}

test('the judged sample has 200 lines of lists that exist, and its figures are those of the document', () => {
  const judged = readJudged();
  assert.equal(judged.length, 200);
  assert.deepEqual(
    judged.filter(({ list }) => !isKnownList(list)).map(({ list }) => list),
    [],
  );
  const share = (count: number): string => `${((100 * count) / judged.length).toFixed(1)} %`;
  const document = readFileSync(join(import.meta.dirname, '../../../docs/quality.md'), 'utf8');
  assert.match(
    document,
    new RegExp(`\\n    a line of its own: ${share(judged.filter(({ same }) => same === 'own').length)} `),
  );
  assert.match(
    document,
    new RegExp(`\\n    recognisable: ${share(judged.filter(({ name }) => name === 'clear').length)} `),
  );
});
