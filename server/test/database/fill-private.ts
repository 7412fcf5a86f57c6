import { addPartner } from '../../src/core/accounts/partners/partners.ts';
import { seededDatabase } from './database.ts';
import { copyDatabase } from './private-postgres.ts';

/** The seeded directory and a partner, in an empty database of another server. Gives the stations' guide IDs. */
export async function fillPrivate(databaseUrl: string, partnerId: string): Promise<string[]> {
  // Made here and copied, since the world's places are made once for all tests and not for every run.
  await using made = await seededDatabase();
  const { pool } = made;
  await addPartner(pool, { id: partnerId, name: 'A drill' });
  copyDatabase(made.url, databaseUrl);
  const { rows } = await pool.query<{ id: number }>('SELECT id FROM stations ORDER BY id');
  return rows.map(({ id }) => `s${id}`);
}
