import { adviceOn, createPool, type Queryable, whereOf } from '../../storage/db/pool.ts';
import { type Finding, warning, well } from './check.ts';

const NAME = 'replicas';
/** Nobody is refused meanwhile, but nothing is relieved either. */
const MEANWHILE = 'until then all is asked of DATABASE_URL';

/** Whether `DATABASE_READ_URL` leads to a server that follows; nothing else tells, since the primary answers in its place. */
export async function replicaLine(databaseUrl: string): Promise<Finding> {
  const pool = createPool({ databaseUrl, size: 1, applicationName: 'longwave doctor' });
  try {
    const at = `PostgreSQL at ${whereOf(databaseUrl)}`;
    return (await isStandby(pool))
      ? well(NAME, `${at} follows, and answers what may be seconds old`)
      : warning(
          NAME,
          `${at} follows no other server, so it is not asked`,
          `lead DATABASE_READ_URL to a standby, or unset it; ${MEANWHILE}`,
        );
  } catch (error) {
    return unreached(error, databaseUrl);
  } finally {
    void pool.end();
  }
}

async function isStandby(pool: Queryable): Promise<boolean> {
  const { rows } = await pool.query<{ standby: boolean }>({ text: 'SELECT pg_is_in_recovery() AS standby' });
  return rows[0]?.standby === true;
}

function unreached(error: unknown, databaseUrl: string): Finding {
  const message = error instanceof Error ? error.message : String(error);
  const said = adviceOn(error, databaseUrl)?.replaceAll('DATABASE_URL', 'DATABASE_READ_URL');
  const advice = said ?? `PostgreSQL at ${whereOf(databaseUrl)}: ${message}: correct DATABASE_READ_URL`;
  // What to do follows the last colon.
  const at = advice.lastIndexOf(': ');
  return warning(NAME, advice.slice(0, at), `${advice.slice(at + 2)}; ${MEANWHILE}`);
}
