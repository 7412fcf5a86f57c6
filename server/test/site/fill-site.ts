import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { bumpCatalogue } from '../../src/storage/catalog/stations/version.ts';
import { transaction } from '../../src/storage/db/transaction.ts';
import { addPartner } from '../../src/core/accounts/partners/partners.ts';

const FILES = ['shows.sql', 'stream-health.sql'];
/** Whose radios are simulated. */
export const MAKER = 'maker';
/** Of the seeded directory: with several streams, a schedule, an affiliate. */
export const STATION = { id: 's1', name: 'Harbour Folk' };
export const SHOW = { id: 'p101', name: 'The Morning Boat' };

/** What every page needs to have something to show. */
export async function fillSite(pool: Pool): Promise<void> {
  await addPartner(pool, { id: MAKER, name: 'A maker of radios' });
  await transaction(pool, async (client) => {
    for (const file of FILES) await client.query(readFileSync(join(import.meta.dirname, file), 'utf8'));
    await bumpCatalogue(client);
  });
}
