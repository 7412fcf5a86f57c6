import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { invokedAs, listMisspelled } from '../app/config.ts';
import { systemClock } from '../lib/clock.ts';
import { SafeFetcher } from '../net/fetch/fetch-safely.ts';
import { operatorsChoice } from '../net/fetch/policy.ts';
import { createPool } from '../storage/db/pool.ts';
import { type Command, SITE_FOLDER, UsageError } from './command.ts';
import { examine } from './doctor/examine.ts';
import { thisMachine } from './doctor/machine.ts';
import { hideSecrets, reportOf, screenOf, secretsOf, writeReport } from './doctor/report.ts';
import { plain } from './terminal.ts';

const OPTIONS = { json: { type: 'boolean' }, 'base-url': { type: 'string' } } as const;
/** One connection for each check that queries the database. */
const CONNECTIONS = 10;
const CLOSE_MS = 500;

export const doctorCommand: Command = {
  usage: ['doctor [--base-url URL] [--json]'],
  summary: 'check that everything works, down to the audio, and how to fix what does not',
  takesAnySettings: true,
  async run(args, config, problems = []) {
    const { values } = parseArgs({ args, options: OPTIONS });
    const baseUrl = values['base-url'];
    if (baseUrl !== undefined && !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
      throw new UsageError(`--base-url: '${baseUrl}' is not a URL; use one such as http://127.0.0.1:8700`);
    const { databaseUrl } = config;
    const pool = createPool({ databaseUrl, size: CONNECTIONS, applicationName: 'longwave doctor' });
    const examined = await examine({
      config,
      problems,
      pool,
      ownFetcher: new SafeFetcher({ policy: operatorsChoice }),
      streamFetcher: new SafeFetcher(),
      baseUrl,
      siteFolder: SITE_FOLDER,
      machine: thisMachine,
      misspelled: listMisspelled(),
      clock: systemClock,
    });
    const secrets = secretsOf(config);
    const clean = (text: string): string => plain(hideSecrets(text, secrets));
    const report = reportOf(examined, { clean, command: invokedAs() });
    await print(
      values.json === true ? JSON.stringify(report, null, 2) : writeReport(report, screenOf(process.stdout)),
    );
    await Promise.race([pool.end(), sleep(CLOSE_MS)]);
    // A server that never answers would keep the process alive until its timeout; the report is already complete.
    process.exit(report.state === 'broken' ? 1 : 0);
  },
};

const print = (text: string): Promise<void> =>
  new Promise((resolve) => process.stdout.write(`${text}\n`, () => resolve()));
