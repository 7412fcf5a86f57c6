import { createReadStream } from 'node:fs';
import { readRadioBrowser } from '../src/import/radio-browser/read-file.ts';
import { importStations } from '../src/intake/import-stations.ts';
import { addPartner } from '../src/members/partners.ts';
import { testDatabaseWithPlaces } from './database.ts';
import { copyDatabase } from './private-postgres.ts';
import { SEED_FILE } from './seeded-directory.ts';

/** The seeded directory and a partner, in an empty database of another server. Gives the stations' guide IDs. */
export async function fillPrivate(databaseUrl: string, partnerId: string): Promise<string[]> {
  // Made here and copied, since the world's places are made once for all tests and not for every run.
  await using made = await testDatabaseWithPlaces();
  const { pool } = made;
  await importStations({ pool, source: 'seed', items: readRadioBrowser(createReadStream(SEED_FILE)) });
  await addPartner(pool, { id: partnerId, name: 'A drill' });
  copyDatabase(made.url, databaseUrl);
  const { rows } = await pool.query<{ id: number }>('SELECT id FROM stations ORDER BY id');
  return rows.map(({ id }) => `s${id}`);
}
