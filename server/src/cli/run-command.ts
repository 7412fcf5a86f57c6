import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listMisspelled, readSettings, refuseProblems } from '../app/config.ts';
import { writeMisspelled } from '../app/settings/misspelled.ts';
import { editDistance } from '../lib/near-names.ts';
import { readBuildInfo, writeBuildInfo } from '../lib/version.ts';
import { type Command, UsageError } from './command.ts';

/** Each is loaded when it is called for: all of them together take two seconds of a small machine. */
const COMMANDS = new Map<string, () => Promise<Command>>([
  ['setup', async () => (await import('./setup.ts')).setupCommand],
  ['serve', async () => (await import('./serve.ts')).serveCommand],
  ['work', async () => (await import('./work.ts')).workCommand],
  ['dns', async () => (await import('./radios/dns.ts')).dnsCommand],
  ['migrate', async () => (await import('./migrate.ts')).migrateCommand],
  ['import', async () => (await import('./import.ts')).importCommand],
  ['doctor', async () => (await import('./doctor.ts')).doctorCommand],
  ['probe', async () => (await import('./stations/probe.ts')).probeCommand],
  ['partner', async () => (await import('./partners/partner.ts')).partnerCommand],
  ['station', async () => (await import('./stations/station.ts')).stationCommand],
  ['takedown', async () => (await import('./stations/takedown.ts')).takedownCommand],
  ['reports', async () => (await import('./stations/reports.ts')).reportsCommand],
  ['why', async () => (await import('./stations/why.ts')).whyCommand],
  ['radios', async () => (await import('./radios/radios.ts')).radiosCommand],
  ['relay', async () => (await import('./radios/relay.ts')).relayCommand],
  ['upnp', async () => (await import('./radios/upnp.ts')).upnpCommand],
  ['speaker', async () => (await import('./radios/speaker.ts')).speakerCommand],
  ['why-merged', async () => (await import('./operator/why-merged.ts')).whyMergedCommand],
  ['announced', async () => (await import('./operator/announced.ts')).announcedCommand],
  ['suggestions', async () => (await import('./operator/suggestions.ts')).suggestionsCommand],
  ['device', async () => (await import('./members/device.ts')).deviceCommand],
  ['account', async () => (await import('./members/account.ts')).accountCommand],
  ['healthcheck', async () => (await import('./container/healthcheck.ts')).healthcheckCommand],
  ['upgrade', async () => (await import('./upkeep/upgrade.ts')).upgradeCommand],
  ['backup', async () => (await import('./upkeep/backup.ts')).backupCommand],
  ['restore', async () => (await import('./upkeep/restore.ts')).restoreCommand],
  ['verify', async () => (await import('./upkeep/restore.ts')).verifyCommand],
  ['config', async () => (await import('./config.ts')).configCommand],
]);

/** Every command; `npm run docs` writes it to `usage.txt`, so that `--help` need not load them all. */
export async function writeUsage(): Promise<string> {
  const commands = await Promise.all(Array.from(COMMANDS.values(), (load) => load()));
  const lines = commands.flatMap(({ usage: forms, summary }) => [
    ...forms.map((form) => `  longwave ${form}`),
    `      ${summary}`,
  ]);
  return [
    'usage:',
    ...lines,
    '  longwave --version',
    '  longwave COMMAND --help',
    '      only what that command takes',
    '',
    'Settings come from the environment: docs/configuration.md',
    '',
  ].join('\n');
}

const readUsage = (): string => readFileSync(join(import.meta.dirname, 'usage.txt'), 'utf8').trimEnd();

const HELP = ['--help', '-h'];

/** Whether the options ask for help; what stands behind `--` is no option. */
function wantsHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? undefined : end).some((arg) => HELP.includes(arg));
}

const writeForms = ({ usage }: Command): string => usage.map((form) => `usage: longwave ${form}`).join('\n');

/** A command that is spelled nearly so. */
function nearCommand(name: string): string | undefined {
  const near = Array.from(COMMANDS.keys(), (known) => ({ known, distance: editDistance(name, known) }));
  const [nearest] = near.toSorted((a, b) => a.distance - b.distance);
  return nearest && nearest.distance <= 2 && nearest.distance < name.length ? nearest.known : undefined;
}

function writeUnknown(name: string): string {
  const near = nearCommand(name);
  const guess = near === undefined ? '' : `; did you mean "${near}"?`;
  return `longwave: there is no command "${name}"${guess}\nlongwave --help lists them all`;
}

/** Runs the command and returns the exit code. */
export async function runCommand([name = '', ...args]: string[]): Promise<number> {
  if (name === '--version') {
    console.log(writeBuildInfo(readBuildInfo()));
    return 0;
  }
  if (name === 'help' || HELP.includes(name)) {
    const [asked] = args;
    if (asked !== undefined && COMMANDS.has(asked)) return await runCommand([asked, '--help']);
    console.log(readUsage());
    return 0;
  }
  const load = COMMANDS.get(name);
  if (!load) {
    console.error(name === '' ? readUsage() : writeUnknown(name));
    return 2;
  }
  const command = await load();
  if (wantsHelp(args)) {
    console.log(`${writeForms(command)}\n\n${command.summary}`);
    return 0;
  }
  let databaseUrl = '';
  try {
    const { config, problems } = readSettings();
    if (command.takesAnySettings !== true) {
      for (const each of listMisspelled()) console.error(`longwave: warning: ${writeMisspelled(each)}`);
      refuseProblems(problems);
    }
    databaseUrl = config.databaseUrl;
    await command.run(args, config, problems);
    return 0;
  } catch (error) {
    // Loaded late: the driver of PostgreSQL takes as long as the rest of a small command.
    const { adviceOn } = await import('../storage/db/pool.ts');
    console.error(`longwave: ${adviceOn(error, databaseUrl) ?? explain(error)}`);
    if (!isUsageError(error)) return 1;
    console.error(writeForms(command));
    return 2;
  }
}

/** Our own error, or one of `parseArgs`: an unknown option, a missing value. */
const isUsageError = (error: unknown): boolean =>
  error instanceof UsageError ||
  (error instanceof Error && 'code' in error && String(error.code).includes('PARSE_ARGS'));

/** The message and its causes; a stack trace does not help whoever typed a command. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Node goes on to say how a name that begins with a dash is written; no command of ours takes one.
  const message = error.message.replace(/\. To specify a positional argument starting with a '-'.*/s, '');
  const own = message || ('code' in error ? String(error.code) : error.name);
  return error.cause === undefined ? own : `${own}\n  because: ${explain(error.cause)}`;
}
