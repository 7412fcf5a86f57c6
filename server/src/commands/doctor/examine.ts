import { withDeadline } from '../../http/deadline.ts';
import { accountsCheck } from './accounts-check.ts';
import { unknownFor } from './behind-database.ts';
import type { Check, Patient } from './check.ts';
import { directoryCheck } from './directory-check.ts';
import { type Finding, broken } from './finding.ts';
import { partnersCheck } from './partners-check.ts';
import { placesCheck } from './places-check.ts';
import { postgresCheck } from './postgres-check.ts';
import { proofCheck } from './proof-check.ts';
import { redisCheck } from './redis-check.ts';
import { settingsCheck } from './settings-check.ts';
import { siteCheck } from './site-check.ts';
import { streamsCheck } from './streams-check.ts';
import { workCheck } from './work-check.ts';

/** In the order they are shown: what others rest on first, the proof last. */
export const CHECKS: readonly Check[] = [
  settingsCheck,
  placesCheck,
  accountsCheck,
  postgresCheck,
  redisCheck,
  directoryCheck,
  workCheck,
  streamsCheck,
  partnersCheck,
  siteCheck,
  proofCheck,
];

export interface Examined {
  title: string;
  findings: readonly Finding[];
}

const DEADLINE_MS = 5000;

/** All checks side by side; none can hold up or spoil another. */
export const examine = (patient: Patient, checks = CHECKS): Promise<Examined[]> =>
  Promise.all(
    checks.map(async (check) => ({ title: check.title, findings: await findingsOf(check, patient) })),
  );

async function findingsOf(check: Check, patient: Patient): Promise<readonly Finding[]> {
  const { deadlineMs = DEADLINE_MS } = check;
  const enough = new AbortController();
  try {
    return await withDeadline(check.look(patient, enough.signal), deadlineMs, () => new Late());
  } catch (error) {
    return [failureOf(check, error, deadlineMs)];
  } finally {
    enough.abort();
  }
}

class Late extends Error {}

function failureOf({ tellsOfDatabase }: Check, error: unknown, deadlineMs: number): Finding {
  if (error instanceof Late) return broken(NAME, `no answer within ${deadlineMs / 1000} s`, TRY_AGAIN);
  const behind = tellsOfDatabase === true ? undefined : unknownFor(NAME, error);
  return behind ?? broken(NAME, error instanceof Error ? error.message : String(error), TRY_AGAIN);
}

/** Of a check that found nothing out. */
const NAME = 'all';
const TRY_AGAIN = 'run it again; if it stays so, see the logs';
