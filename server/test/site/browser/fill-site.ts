import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { bumpCatalogue } from '../../../src/storage/catalog/stations/version.ts';
import { transaction } from '../../../src/storage/db/transaction.ts';
import { claimInstallation, saveHome } from '../../../src/storage/installation.ts';
import { addPartner } from '../../../src/core/accounts/partners/partners.ts';

const FILES = ['shows.sql', 'stream-health.sql'];
/** Whose radios are simulated. */
export const MAKER = 'maker';
/** Of the seeded directory: with several streams, a schedule, an affiliate. */
export const STATION = { id: 's1', name: 'Harbour Folk' };
export const SHOW = { id: 'p101', name: 'The Morning Boat' };
/** Of the link that makes its first reader the operator. */
export const OPERATOR_TOKEN = 'k'.repeat(43);

/** What every page needs to have something to show. */
export async function fillSite(pool: Pool): Promise<void> {
  await addPartner(pool, { id: MAKER, name: 'A maker of radios' });
  await claimInstallation(pool, 'directory');
  await saveHome(pool, 'Cork, Ireland', false);
  await pool.query(
    "INSERT INTO operator_links VALUES (sha256(convert_to('operator ' || $1, 'UTF8')), 'infinity')",
    [OPERATOR_TOKEN],
  );
  await transaction(pool, async (client) => {
    for (const file of FILES) await client.query(readFileSync(join(import.meta.dirname, file), 'utf8'));
    await bumpCatalogue(client);
  });
}
