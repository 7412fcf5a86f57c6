import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { invokedAs } from '../config.ts';
import { createPool } from '../db/pool.ts';
import { systemClock } from '../lib/clock.ts';
import { SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import { operatorsChoice } from '../lib/fetch-safely/policy.ts';
import { type Command, UsageError } from './command.ts';
import { examine } from './doctor/examine.ts';
import { hideSecrets, secretsOf } from './doctor/hide-secrets.ts';
import { reportOf } from './doctor/report.ts';
import { screenOf, writeReport } from './doctor/write-report.ts';
import { plain } from './probe-text.ts';
import { SITE_FOLDER } from './site-folder.ts';

const OPTIONS = { json: { type: 'boolean' }, 'base-url': { type: 'string' } } as const;
/** Each check that asks the database has a connection at once. */
const CONNECTIONS = 8;
const CLOSE_MS = 500;

export const doctorCommand: Command = {
  usage: ['doctor [--base-url URL] [--json]'],
  summary: 'see whether everything works, down to the sound, and what mends what does not',
  takesAnySettings: true,
  async run(args, config, problems = []) {
    const { values } = parseArgs({ args, options: OPTIONS });
    const baseUrl = values['base-url'];
    if (baseUrl !== undefined && !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
      throw new UsageError(`--base-url: '${baseUrl}' is no address; write http://127.0.0.1:8700`);
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
      clock: systemClock,
    });
    const secrets = secretsOf(config);
    const clean = (text: string): string => plain(hideSecrets(text, secrets));
    const report = reportOf(examined, { clean, command: invokedAs() });
    await print(
      values.json === true ? JSON.stringify(report, null, 2) : writeReport(report, screenOf(process.stdout)),
    );
    await Promise.race([pool.end(), sleep(CLOSE_MS)]);
    // Somebody who never answers would keep the process until his deadline; all there is to say is said.
    process.exit(report.state === 'broken' ? 1 : 0);
  },
};

const print = (text: string): Promise<void> =>
  new Promise((resolve) => process.stdout.write(`${text}\n`, () => resolve()));
