import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededDatabase } from '../../../../test/database/database.ts';
import { testApp } from '../../../../test/apps/http-server.ts';
import { openDirectory } from '../../../core/directory/directory.ts';
import { Aliases } from '../../../core/directory/lookup/by-any-id.ts';
import { createLog } from '../../../lib/log.ts';
import { refreshSearch } from '../../../storage/catalog/search/refresh-search.ts';
import { bumpCatalogue } from '../../../storage/catalog/stations/version.ts';
import { transaction } from '../../../storage/db/transaction.ts';
import { search } from './search.ts';

/** So many stations of a name in MP3, and one in Ogg Vorbis. */
const STATIONS = `
  WITH made AS (
    INSERT INTO stations (name, name_key)
    SELECT $1 || ' ' || n, lower($1) || ' ' || n FROM generate_series(0, $2) n RETURNING id, name
  )
  INSERT INTO streams (station_id, address, address_key, format, bitrate, reliability)
  SELECT id, 'http://few.example.net/' || id, gen_random_uuid(), CASE WHEN name LIKE '% 0' THEN 'ogg' ELSE 'mp3' END, 64, 90
  FROM made`;

test('what the caller cannot play is shown beside 24 that it can, and not beside 25', async (t) => {
  const { pool, url, ...database } = await seededDatabase();
  t.after(() => database[Symbol.asyncDispose]());
  await transaction(pool, async (client) => {
    await client.query(STATIONS, ['Tollgate', 24]);
    await client.query(STATIONS, ['Ferryman', 25]);
    await refreshSearch(client);
    await bumpCatalogue(client);
  });
  const directory = await openDirectory({ pool, databaseUrl: url, log: createLog({ level: 'silent' }) });
  t.after(() => directory[Symbol.asyncDispose]());
  const { app } = testApp([search({ directory, db: pool, aliases: new Aliases(pool) })]);
  t.after(() => app.close());
  const found = async (query: string): Promise<number[]> => {
    const { body } = await app.inject({ url: `/Search.ashx?query=${query}&formats=mp3` });
    return body.split('key="unavailable"').map((part) => [...part.matchAll(/ item="station"/g)].length);
  };
  assert.deepEqual(await found('tollgate'), [24, 1]);
  assert.deepEqual(await found('ferryman'), [25]);
});
