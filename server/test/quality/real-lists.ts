import type { Pool } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDirectory } from '../../src/core/directory/directory.ts';
import { Aliases } from '../../src/core/directory/lookup/by-any-id.ts';
import type { Snapshot } from '../../src/core/directory/snapshot/snapshot.ts';
import { CallerPlaces } from '../../src/core/places/caller-places.ts';
import { createLog } from '../../src/lib/log.ts';
import { browseEndpoints } from '../../src/protocols/radiotime/browse/browse.ts';
import { search } from '../../src/protocols/radiotime/search/search.ts';
import { poolOf } from '../database/database-server.ts';
import { testApp } from '../apps/http-server.ts';
import { realDatabase } from '../database/made-databases.ts';
import type { City, Query } from './lists.ts';
import { named } from './match.ts';
import type { Line } from './report.ts';
import { readStations, type Station } from './stations.ts';

/** The directory of the real stations, asked in process as a radio would. */
export interface RealLists extends AsyncDisposable {
  pool: Pool;
  stations: ReadonlyMap<string, Station>;
  snapshot: Snapshot;
  local: (city: City) => Promise<Line[]>;
  search: (query: Pick<Query, 'text' | 'caller'>) => Promise<Line[]>;
  /** The playable lines of any menu. */
  ask: (url: string) => Promise<Line[]>;
}

const ATTEMPTS = 10;

export async function openRealLists(): Promise<RealLists> {
  const databaseUrl = await realDatabase();
  const pool = poolOf(databaseUrl, 4);
  const stations = await readStations(pool);
  const directory = await openDirectory({ pool, databaseUrl, log: createLog({ level: 'silent' }) });
  const shared = { directory, db: pool, aliases: new Aliases(pool), places: new CallerPlaces(pool) };
  const { app } = testApp([...browseEndpoints(shared), search(shared)], { logLevel: 'silent' });
  const ask = async (url: string): Promise<Line[]> => {
    for (let attempt = 1; ; attempt += 1) {
      const { body } = await app.inject({ url: `${url}&render=json`, headers: { host: 'radio.test' } });
      const answer: Answer = JSON.parse(body);
      if (answer.head.status === '200') return answer.body.flatMap((line) => linesOf(line, stations));
      // On a busy machine a search may not be answered in time.
      if (answer.head.status !== '503' || attempt === ATTEMPTS)
        throw new Error(`${url} was answered with: ${body.slice(0, 300)}`);
      await sleep(1000);
    }
  };
  return {
    pool,
    stations,
    snapshot: directory.current(),
    ask,
    local: (city) => ask(`/Browse.ashx?c=local&${latlonOf(city)}`),
    search: ({ text, caller }) => ask(`/Search.ashx?query=${encodeURIComponent(text)}&${latlonOf(caller)}`),
    async [Symbol.asyncDispose]() {
      await app.close();
      await directory[Symbol.asyncDispose]();
      await pool.end();
    },
  };
}

const latlonOf = ({ latitude, longitude }: City): string => `latlon=${latitude},${longitude}`;

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
function linesOf(
  { type, text = '', guide_id: guideId = '', children = [] }: JsonOutline,
  stations: ReadonlyMap<string, Station>,
): Line[] {
  if (type !== 'audio' || !/^s\d+$/.test(guideId))
    return children.flatMap((child) => linesOf(child, stations));
  const station = stations.get(guideId.slice(1)) ?? {
    ...named(text),
    id: guideId,
    popularity: 0,
    genres: [],
    languages: [],
  };
  return [{ ...station, guideId, text }];
}
