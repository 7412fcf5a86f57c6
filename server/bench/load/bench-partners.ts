import { addPartner, changePartner } from '../../src/core/accounts/partners/partners.ts';
import { createPool } from '../../src/storage/db/pool.ts';

const PARTNER = 'longwave-bench';
/** The nearby menu has pages only if the group size is not the default. */
const SIZED_PARTNER = 'longwave-sized';
export const NEAREST = 51;

/** What applications and devices send with every call. */
export const APPLICATION = `formats=mp3,aac&partnerId=${PARTNER}`;
const SERIAL = 'serial=0011aabbccdd';
export const DEVICE = `${APPLICATION}&${SERIAL}`;
export const SIZED_DEVICE = `formats=mp3,aac&partnerId=${SIZED_PARTNER}&${SERIAL}`;

/** Registered partners, so that the calls of devices are recorded as in production. Deleted after the bench. */
export async function benchPartners(databaseUrl: string): Promise<AsyncDisposable> {
  const pool = createPool({ databaseUrl, size: 1, applicationName: 'longwave bench' });
  for (const id of [PARTNER, SIZED_PARTNER]) await addPartner(pool, { id, name: 'npm run bench' });
  await changePartner(pool, SIZED_PARTNER, { stations_per_group: NEAREST });
  return {
    async [Symbol.asyncDispose]() {
      await pool.query('DELETE FROM partners WHERE id = ANY($1)', [[PARTNER, SIZED_PARTNER]]);
      await pool.end();
    },
  };
}
