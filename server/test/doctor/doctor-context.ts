import { join } from 'node:path';
import type { Pool } from 'pg';
import { type Environment, listMisspelled, readSettings } from '../../src/app/config.ts';
import type { Check, Finding, CheckContext } from '../../src/cli/doctor/check.ts';
import { examine } from '../../src/cli/doctor/examine.ts';
import { thisMachine } from '../../src/cli/doctor/machine.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { SafeFetcher } from '../../src/net/fetch/fetch-safely.ts';
import { operatorsChoice, type Policy } from '../../src/net/fetch/policy.ts';

/** Every name is this machine's, so that streams can have names of their own. */
const here: Policy = { ...operatorsChoice, resolve: () => Promise.resolve(['127.0.0.1']) };

/** What the doctor looks at under these settings; streams may be on this machine. */
export const contextOf = (
  settings: Environment,
  pool: Pool,
  more: Partial<CheckContext> = {},
): CheckContext => ({
  ...readSettings(settings),
  pool,
  ownFetcher: new SafeFetcher({ policy: operatorsChoice }),
  streamFetcher: new SafeFetcher({ policy: here }),
  baseUrl: undefined,
  siteFolder: join(import.meta.dirname, 'no-such-folder'),
  clock: systemClock,
  machine: thisMachine,
  misspelled: listMisspelled(settings),
  ...more,
});

/** What one check finds, by the names of its lines. */
export async function findingsOf(check: Check, context: CheckContext): Promise<Map<string, Finding>> {
  const [examined] = await examine(context, [check]);
  return new Map(examined?.findings.map((finding) => [finding.name, finding]));
}
