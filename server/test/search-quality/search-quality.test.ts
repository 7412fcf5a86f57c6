import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { type Directory, openDirectory } from '../../src/core/directory/directory.ts';
import { Aliases } from '../../src/core/directory/lookup/by-any-id.ts';
import { createLog } from '../../src/lib/log.ts';
import { search } from '../../src/protocols/radiotime/search/search.ts';
import { poolOf } from '../database/database-server.ts';
import { testApp } from '../apps/http-server.ts';
import { realDatabase } from '../database/made-databases.ts';
import { withoutRealData } from '../content/real-data.ts';
import { type KnownItem, listKnownItems } from './known-items.ts';

const QUERIES = join(import.meta.dirname, 'queries.jsonl');
const MISSES = join(import.meta.dirname, 'misses.txt');

/** How many of the known items must come in the first five, and first. */
const IN_FIRST_FIVE = 0.95;
const FIRST = 0.85;

const skip = withoutRealData;
let pool: Pool;
let directory: Directory;
let app: FastifyInstance;
before(async () => {
  if (skip) return;
  const databaseUrl = await realDatabase();
  pool = poolOf(databaseUrl, 4);
  directory = await openDirectory({ pool, databaseUrl, log: createLog({ level: 'silent' }) });
  app = testApp([search({ directory, db: pool, aliases: new Aliases(pool) })]).app;
});
after(async () => {
  if (skip) return;
  await app.close();
  await directory[Symbol.asyncDispose]();
  await pool.end();
});

test('the queries are those that the stations give', { skip }, async (t) => {
  const made = await listKnownItems(pool);
  assert.equal(made.length, 300);
  const lines = made.map((item) => `${JSON.stringify(item)}\n`).join('');
  t.assert.fileSnapshot(lines, QUERIES, { serializers: [String] });
});

/** Guide IDs at the top level, as a radio shows them. */
async function answer(query: string): Promise<string[]> {
  const url = `/Search.ashx?query=${encodeURIComponent(query)}`;
  const { body } = await app.inject({ url, headers: { host: 'radio.test' } });
  assert.match(body, /<status>200<\/status>/, query);
  return [...body.matchAll(/<outline type="audio"[^>]* guide_id="(s\d+)"/g)].map(([, id = '']) => id);
}

async function idOf({ stream }: KnownItem): Promise<string> {
  const { rows } = await pool.query('SELECT station_id FROM streams WHERE address_key = $1', [stream]);
  return `s${rows[0]?.station_id}`;
}

test('listeners who have one station in mind find it', { skip }, async (t) => {
  const items: KnownItem[] = readFileSync(QUERIES, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const misses: string[] = [];
  let first = 0;
  let inFirstFive = 0;
  for (const item of items) {
    const ids = await answer(item.query);
    const place = ids.indexOf(await idOf(item));
    if (place === 0) first += 1;
    if (place >= 0 && place < 5) inFirstFive += 1;
    if (place !== 0)
      misses.push(
        `${place === -1 ? 'absent' : `place ${place + 1}`} · ${item.kind} · ${item.query} · ${item.name}\n`,
      );
  }
  t.diagnostic(`${items.length} queries: first ${first}, in the first five ${inFirstFive}`);
  t.assert.fileSnapshot(misses.join(''), MISSES, { serializers: [String] });
  assert.ok(
    inFirstFive >= IN_FIRST_FIVE * items.length,
    `${inFirstFive} of ${items.length} in the first five`,
  );
  assert.ok(first >= FIRST * items.length, `${first} of ${items.length} first`);
});
