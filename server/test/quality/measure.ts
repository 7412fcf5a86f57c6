/** `npm run quality [-- --city Wien | --query oe3]`: how well the lists that callers get fit what people mean. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDirectory } from '../../src/core/directory/directory.ts';
import { Aliases } from '../../src/core/directory/lookup/by-any-id.ts';
import { CallerPlaces } from '../../src/core/places/caller-places.ts';
import { createLog } from '../../src/lib/log.ts';
import { browseEndpoints } from '../../src/protocols/radiotime/browse/browse.ts';
import { search } from '../../src/protocols/radiotime/search/search.ts';
import { poolOf } from '../database-server.ts';
import { testApp } from '../http-server.ts';
import { realDatabase } from '../made-databases.ts';
import { type City, type Query, readLists } from './lists.ts';
import { answers, isStationOf, named } from './match.ts';
import {
  cityLines,
  cityReport,
  FEW,
  type CityResult,
  type Line,
  queryLines,
  queryReport,
  type QueryResult,
} from './report.ts';
import { readStations, whyMissing } from './stations.ts';

const ATTEMPTS = 10;

const { values } = parseArgs({ options: { city: { type: 'string' }, query: { type: 'string' } } });
const lists = readLists();
const databaseUrl = await realDatabase();
const pool = poolOf(databaseUrl, 4);
const stations = await readStations(pool);
const directory = await openDirectory({ pool, databaseUrl, log: createLog({ level: 'silent' }) });
const shared = { directory, db: pool, aliases: new Aliases(pool), places: new CallerPlaces(pool) };
const { app } = testApp([...browseEndpoints(shared), search(shared)], { logLevel: 'silent' });
try {
  await main();
} finally {
  await app.close();
  await directory[Symbol.asyncDispose]();
  await pool.end();
}

async function main(): Promise<void> {
  const { city, query } = values;
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

function latlonOf({ latitude, longitude }: City): string {
  return `latlon=${latitude},${longitude}`;
}

async function askCity(city: City): Promise<CityResult> {
  const lines = await ask(`/Browse.ashx?c=local&${latlonOf(city)}`);
  const places = city.wanted.map((wanted) => {
    const place = lines.findIndex((line) => isStationOf(wanted, line));
    const isSeen = place >= 0 && place < FEW;
    return { wanted, place, why: isSeen ? undefined : whyMissing(wanted, city, stations.values()) };
  });
  return { city, lines, places };
}

async function askQuery(query: Query): Promise<QueryResult> {
  const lines = await ask(`/Search.ashx?query=${encodeURIComponent(query.text)}&${latlonOf(query.caller)}`);
  const place = lines.findIndex((line) => query.wanted.some((wanted) => answers(wanted, line)));
  return { query, lines, place };
}

async function ask(url: string): Promise<Line[]> {
  for (let attempt = 1; ; attempt += 1) {
    const { body } = await app.inject({ url: `${url}&render=json`, headers: { host: 'radio.test' } });
    const answer: Answer = JSON.parse(body);
    if (answer.head.status === '200') return answer.body.flatMap(linesOf);
    // On a busy machine a search may not be answered in time.
    if (answer.head.status !== '503' || attempt === ATTEMPTS)
      throw new Error(`${url} was answered with: ${body.slice(0, 300)}`);
    await sleep(1000);
  }
}

interface Answer {
  head: { status: string };
  body: JsonOutline[];
}

interface JsonOutline {
  type?: string;
  text?: string;
  guide_id?: string;
  children?: JsonOutline[];
}

/** Lines are judged by the station's own name: texts carry towns and songs. */
function linesOf({ type, text = '', guide_id: guideId = '', children = [] }: JsonOutline): Line[] {
  if (type !== 'audio' || !/^s\d+$/.test(guideId)) return children.flatMap(linesOf);
  const station = stations.get(guideId.slice(1)) ?? {
    ...named(text),
    id: guideId,
    popularity: 0,
    genres: [],
    languages: [],
  };
  return [{ ...station, guideId, text }];
}
