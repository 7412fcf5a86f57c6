import { join } from 'node:path';
import type { Pool } from 'pg';
import type { Check, Patient } from '../src/commands/doctor/check.ts';
import { examine } from '../src/commands/doctor/examine.ts';
import type { Finding } from '../src/commands/doctor/finding.ts';
import { type Environment, readSettings } from '../src/config.ts';
import { systemClock } from '../src/lib/clock.ts';
import { SafeFetcher } from '../src/lib/fetch-safely/fetch-safely.ts';
import { type Policy, operatorsChoice } from '../src/lib/fetch-safely/policy.ts';

/** Every name is this machine's, so that streams can have names of their own. */
const here: Policy = { ...operatorsChoice, resolve: () => Promise.resolve(['127.0.0.1']) };

/** What the doctor looks at under these settings; streams may be on this machine. */
export const patientOf = (settings: Environment, pool: Pool, more: Partial<Patient> = {}): Patient => ({
  ...readSettings(settings),
  pool,
  ownFetcher: new SafeFetcher({ policy: operatorsChoice }),
  streamFetcher: new SafeFetcher({ policy: here }),
  baseUrl: undefined,
  siteFolder: join(import.meta.dirname, 'no-such-folder'),
  clock: systemClock,
  ...more,
});

/** What one check finds, by the names of its lines. */
export async function findingsOf(check: Check, patient: Patient): Promise<Map<string, Finding>> {
  const [examined] = await examine(patient, [check]);
  return new Map(examined?.findings.map((finding) => [finding.name, finding]));
}
