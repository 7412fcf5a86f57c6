import { adviceOn, whereOf } from '../../db/explain-failure.ts';
import type { Check, Patient } from './check.ts';
import { roomOnDisk } from './disk.ts';
import { type Finding, broken, warning, well } from './finding.ts';
import { findPostgres, listExtensions } from './postgres-queries.ts';
import { schemaLine } from './schema.ts';

const OLDEST = 15;
const EXTENSIONS = ['cube', 'pg_trgm', 'unaccent'];
/** A call makes some statements one after the other; slower than this, it is felt. */
const SLOW_MS = 20;
const TURNS = 5;

export const postgresCheck: Check = {
  title: 'PostgreSQL',
  tellsOfDatabase: true,
  async look(patient) {
    const { pool, config } = patient;
    try {
      // The first statement also pays for the connection.
      const { version, major, bytes } = await findPostgres(pool);
      const schema = await schemaLine(pool);
      return [
        versionLine(version, major, config.databaseUrl),
        await roundTrip(patient),
        schema,
        // What migrations make is not missed before they ran.
        ...(schema.state === 'well' ? [await extensions(patient)] : []),
        await roomOnDisk(pool, bytes),
      ];
    } catch (error) {
      return [unreached(error, config.databaseUrl)];
    }
  },
};

function versionLine(version: string, major: number, databaseUrl: string): Finding {
  const text = `${version} at ${whereOf(databaseUrl)}`;
  return major >= OLDEST
    ? well('answers', text)
    : broken('answers', `${text} is too old`, `upgrade PostgreSQL to ${OLDEST} or newer`);
}

/** The best of some: the other checks, at work in this process, are not the database's fault. */
async function roundTrip({ pool, clock }: Patient): Promise<Finding> {
  let bestMs = Infinity;
  for (let turn = 0; turn < TURNS; turn += 1) {
    const started = clock.elapsedMs();
    await listExtensions(pool);
    bestMs = Math.min(bestMs, clock.elapsedMs() - started);
  }
  const text = `a statement takes ${bestMs.toFixed(1)} ms`;
  return bestMs < SLOW_MS
    ? well('speed', text)
    : warning('speed', text, 'put the database nearer to the server, or see what else it does');
}

async function extensions({ pool }: Patient): Promise<Finding> {
  const there = new Set(await listExtensions(pool));
  const missing = EXTENSIONS.filter((name) => !there.has(name));
  if (missing.length === 0) return well('extensions', EXTENSIONS.join(', '));
  const commands = missing.map((name) => `CREATE EXTENSION ${name};`).join(' ');
  return broken('extensions', `${missing.join(', ')} missing`, `in the database: ${commands}`);
}

function unreached(error: unknown, databaseUrl: string): Finding {
  const advice = adviceOn(error, databaseUrl);
  const message = error instanceof Error ? error.message : String(error);
  if (advice === undefined)
    return broken(
      'answers',
      `PostgreSQL at ${whereOf(databaseUrl)}: ${message}`,
      'correct DATABASE_URL, and see the log of PostgreSQL',
    );
  // What to do stands behind the last colon.
  const at = advice.lastIndexOf(': ');
  return broken('answers', advice.slice(0, at), advice.slice(at + 2));
}
