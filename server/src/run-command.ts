import { accountCommand } from './commands/account.ts';
import { type Command, UsageError } from './commands/command.ts';
import { configCommand } from './commands/config.ts';
import { deviceCommand } from './commands/device.ts';
import { doctorCommand } from './commands/doctor.ts';
import { importCommand } from './commands/import.ts';
import { migrateCommand } from './commands/migrate.ts';
import { partnerCommand } from './commands/partner.ts';
import { probeCommand } from './commands/probe.ts';
import { reportsCommand } from './commands/reports.ts';
import { serveCommand } from './commands/serve.ts';
import { stationCommand } from './commands/station.ts';
import { whyCommand } from './commands/why.ts';
import { workCommand } from './commands/work.ts';
import { readSettings, refuseProblems } from './config.ts';
import { adviceOn } from './db/explain-failure.ts';

const COMMANDS = new Map<string, Command>([
  ['serve', serveCommand],
  ['work', workCommand],
  ['migrate', migrateCommand],
  ['import', importCommand],
  ['doctor', doctorCommand],
  ['probe', probeCommand],
  ['partner', partnerCommand],
  ['station', stationCommand],
  ['reports', reportsCommand],
  ['why', whyCommand],
  ['device', deviceCommand],
  ['account', accountCommand],
  ['config', configCommand],
]);

function usage(): string {
  const lines = COMMANDS.values().flatMap(({ usage: forms, summary }) => [
    ...forms.map((form) => `  longwave ${form}`),
    `      ${summary}`,
  ]);
  return ['usage:', ...lines, '', 'Settings come from the environment: docs/configuration.md'].join('\n');
}

/** Runs what the command line names; the exit code. */
export async function runCommand([name = '', ...args]: string[]): Promise<number> {
  const command = COMMANDS.get(name);
  if (!command) {
    console.error(usage());
    return name === 'help' || name === '--help' ? 0 : 2;
  }
  let databaseUrl = '';
  try {
    const { config, problems } = readSettings();
    if (command.takesAnySettings !== true) refuseProblems(problems);
    databaseUrl = config.databaseUrl;
    await command.run(args, config, problems);
    return 0;
  } catch (error) {
    console.error(`longwave: ${adviceOn(error, databaseUrl) ?? explain(error)}`);
    if (!isUsageError(error)) return 1;
    console.error(command.usage.map((form) => `usage: longwave ${form}`).join('\n'));
    return 2;
  }
}

/** Ours, or one of `parseArgs`: an option that does not exist, a value that is missing. */
const isUsageError = (error: unknown): boolean =>
  error instanceof UsageError ||
  (error instanceof Error && 'code' in error && String(error.code).includes('PARSE_ARGS'));

/** The message and the messages behind it; a stack helps nobody who typed a command. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.message || ('code' in error ? String(error.code) : error.name);
  return error.cause === undefined ? own : `${own}\n  because: ${explain(error.cause)}`;
}
