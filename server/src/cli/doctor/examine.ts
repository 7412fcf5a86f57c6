import { withDeadline } from '../../lib/deadlines/deadline.ts';
import { accountsCheck, partnersCheck } from './accounts-check.ts';
import { backupCheck } from './backup-check.ts';
import { broken, type Check, type Finding, type CheckContext, unknownFor } from './check.ts';
import { machineCheck } from './machine-check.ts';
import { directoryCheck, streamsCheck, workCheck } from './directory-check.ts';
import { placesCheck } from './places-check.ts';
import { postgresCheck } from './postgres-check.ts';
import { proofCheck } from './proof-check.ts';
import { redisCheck } from './redis-check.ts';
import { relayCheck } from './relay-check.ts';
import { settingsCheck, siteCheck } from './settings-check.ts';
import { sourcesCheck } from './sources-check.ts';
import { upnpCheck } from './upnp-check.ts';
import { wayCheck } from './way-check.ts';

/** In display order: dependencies first, the end-to-end proof last. */
export const CHECKS: readonly Check[] = [
  settingsCheck,
  machineCheck,
  placesCheck,
  accountsCheck,
  postgresCheck,
  backupCheck,
  redisCheck,
  directoryCheck,
  sourcesCheck,
  workCheck,
  streamsCheck,
  partnersCheck,
  siteCheck,
  relayCheck,
  upnpCheck,
  wayCheck,
  proofCheck,
];

export interface Examined {
  title: string;
  findings: readonly Finding[];
}

const DEADLINE_MS = 5000;

/** Runs all checks concurrently; none can delay or break another. */
export const examine = (context: CheckContext, checks = CHECKS): Promise<Examined[]> =>
  Promise.all(
    checks.map(async (check) => ({ title: check.title, findings: await findingsOf(check, context) })),
  );

async function findingsOf(check: Check, context: CheckContext): Promise<readonly Finding[]> {
  const { deadlineMs = DEADLINE_MS } = check;
  const enough = new AbortController();
  try {
    return await withDeadline(check.look(context, enough.signal), deadlineMs, () => new Late());
  } catch (error) {
    return [failureOf(check, error, deadlineMs)];
  } finally {
    enough.abort();
  }
}

class Late extends Error {}

function failureOf({ showsDatabase }: Check, error: unknown, deadlineMs: number): Finding {
  if (error instanceof Late) return broken(NAME, `no answer within ${deadlineMs / 1000} s`, TRY_AGAIN);
  const behind = showsDatabase === true ? undefined : unknownFor(NAME, error);
  return behind ?? broken(NAME, error instanceof Error ? error.message : String(error), TRY_AGAIN);
}

/** The name of the finding when a check crashed or timed out. */
const NAME = 'all';
const TRY_AGAIN = 'run it again; if that does not help, check the logs';
