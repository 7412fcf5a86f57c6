import { readFileSync } from 'node:fs';
import type { Pool } from 'pg';
import { Aliases } from '../../src/core/directory/lookup/by-any-id.ts';
import { buildSnapshot } from '../../src/core/directory/snapshot/build-snapshot.ts';
import type { Call, Endpoint } from '../../src/protocols/radiotime/call/endpoint.ts';
import { Params } from '../../src/protocols/radiotime/call/params.ts';
import { search } from '../../src/protocols/radiotime/search/search.ts';
import { createPool } from '../../src/storage/db/pool.ts';
import { testApp } from '../../test/apps/http-server.ts';
import type { ScaleDatabase } from './database.ts';
import { topicCounter, type World } from './world.ts';

/** One of the two databases, queried through one connection as a process of the service does. */
export interface Side extends AsyncDisposable {
  world: World;
  pool: Pool;
  topicsOf: (showId: number) => number;
  genreIds: readonly number[];
  /** The search endpoint's own action; returns the number of outlines. */
  search(query: string, filter: string): Promise<number>;
  /** CPU time of the connection's process in PostgreSQL, in microseconds; other processes do not count. */
  cpuMicros(): number;
}

export async function openSide({ url, world }: ScaleDatabase): Promise<Side> {
  const pool = createPool({ databaseUrl: url, size: 1, applicationName: 'longwave bench scale' });
  const { rows } = await pool.query('SELECT pg_backend_pid() AS pid');
  const snapshot = await buildSnapshot(pool);
  const endpoint = search({ directory: { current: () => snapshot }, db: pool, aliases: new Aliases(pool) });
  const call = await aCall();
  return {
    world,
    pool,
    topicsOf: topicCounter(world),
    genreIds: [...snapshot.genreById.keys()],
    search: (query, filter) => outlinesOf(endpoint, { ...call, params: paramsOf({ query, filter }) }),
    cpuMicros: () => Number(readFileSync(`/proc/${rows[0].pid}/schedstat`, 'utf8').split(' ')[0]) / 1000,
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

const paramsOf = (said: Record<string, string>): Params => new Params(new Map(Object.entries(said)));

async function outlinesOf({ actions }: Endpoint, call: Call): Promise<number> {
  const answer = await actions.get('')?.(call);
  return answer && 'outlines' in answer ? answer.outlines.length : 0;
}

/** A parsed call from an unspecified caller. */
async function aCall(): Promise<Call> {
  const calls: Call[] = [];
  const keep = (call: Call): { outlines: [] } => {
    calls.push(call);
    return { outlines: [] };
  };
  await testApp([{ paths: ['/Any.ashx'], actions: new Map([['', keep]]) }]).app.inject({ url: '/Any.ashx' });
  const [call] = calls;
  if (!call) throw new Error('the server refused a plain call');
  return call;
}
