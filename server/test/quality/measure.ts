/** `npm run quality [-- --city Wien | --query oe3 | --sample | --merges]`: how well the lists that callers get fit what people mean. */
import { parseArgs } from 'node:util';
import { type City, type Query, readLists } from './lists.ts';
import { answers, isStationOf } from './match.ts';
import { openRealLists } from './real-lists.ts';
import {
  cityLines,
  cityReport,
  FEW,
  type CityResult,
  queryLines,
  queryReport,
  type QueryResult,
} from './report.ts';
import { drawMerges } from './merges.ts';
import { drawLines } from './sample.ts';
import { whyMissing } from './stations.ts';

const { values } = parseArgs({
  options: {
    city: { type: 'string' },
    query: { type: 'string' },
    sample: { type: 'boolean' },
    merges: { type: 'boolean' },
  },
});
const lists = readLists();
await using real = await openRealLists();
await main();

async function main(): Promise<void> {
  const { city, query, sample, merges } = values;
  if (merges) {
    const drawn = await drawMerges(real.pool);
    print(
      drawn.map(({ record, joined, witness, text }) => `${record} ${joined} | right | ${witness}: ${text}`),
    );
    return;
  }
  if (sample) {
    const drawn = await drawLines(real);
    print(drawn.map(({ list, line }) => `${list} | ${line.text} | own | clear`));
    return;
  }
  const everything = city === undefined && query === undefined;
  const cities = lists.cities.filter(({ name }) => everything || name === city);
  const queries = lists.queries.filter(({ text }) => everything || text === query);
  if (cities.length + queries.length === 0)
    throw new Error(`nothing of that name is in the lists: look into cities.txt and queries.txt`);
  const ofCities = await inTurn(cities, askCity);
  const ofQueries = await inTurn(queries, askQuery);
  if (everything) print([...cityReport(ofCities), '', ...queryReport(ofQueries)]);
  else print([...ofCities.flatMap(cityLines), ...ofQueries.flatMap(queryLines)]);
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function inTurn<T, R>(items: readonly T[], answer: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await answer(item));
  return results;
}

async function askCity(city: City): Promise<CityResult> {
  const lines = await real.local(city);
  const places = city.wanted.map((wanted) => {
    const place = lines.findIndex((line) => isStationOf(wanted, line));
    const isSeen = place >= 0 && place < FEW;
    return { wanted, place, why: isSeen ? undefined : whyMissing(wanted, city, real.stations.values()) };
  });
  return { city, lines, places };
}

async function askQuery(query: Query): Promise<QueryResult> {
  const lines = await real.search(query);
  const place = lines.findIndex((line) => query.wanted.some((wanted) => answers(wanted, line)));
  return { query, lines, place };
}
