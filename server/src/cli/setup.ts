import { isAbsolute, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import type { Config } from '../app/config.ts';
import { openContext } from '../app/context.ts';
import {
  type ConfiguredSource,
  isUrl,
  recordSourceOf,
  SOURCE_SETTINGS,
} from '../app/settings/source-settings.ts';
import { hasOperator, OPERATOR_LINK_HOURS } from '../core/accounts/operators.ts';
import type { ImportSummary } from '../import/pipeline/import-summary.ts';
import { importPlaces } from '../import/sources/places/places.ts';
import { ProgressReport } from '../lib/progress.ts';
import { findSourceRead } from '../storage/catalog/stations/station-sources.ts';
import { claimInstallation, hasPlaces, saveSetupProgress } from '../storage/installation.ts';
import { type Command, UsageError } from './command.ts';
import { importSource, keepHeapSmall } from './imports/import-sources.ts';
import { migrateSchema } from './migrate.ts';
import { chooseHome, questions } from './setup/choose-home.ts';
import { makeOperatorLink, whyNoOperator } from './setup/operator-link.ts';

/** The whole of radio-browser.info, written every day; 60,000 stations in about 15 MB. */
const WORLD =
  'radio-browser=https://backups.radio-browser.info/radiobrowser_stations_latest.json.gz' as const;
const MAX_STATEMENT_MS = 600_000;
/** How often the site learns how far it is. */
const SAVE_PROGRESS_MS = 1000;

/** Everything between an empty database and a radio that plays; safe to run again at any time. */
export const setupCommand: Command = {
  usage: ['setup [--home PLACE] [--stations FILE|URL] [--no-stations] [--without-backup]'],
  summary:
    'make the directory ready: schema (after a backup as in migrate), places, home, stations, and a link for the operator',
  async run(args, config) {
    const { values } = parseArgs({
      args,
      options: {
        home: { type: 'string' },
        stations: { type: 'string' },
        'no-stations': { type: 'boolean', default: false },
        'without-backup': { type: 'boolean', default: false },
      },
    });
    if (values.stations !== undefined && values['no-stations'])
      throw new UsageError('--stations and --no-stations contradict each other');
    keepHeapSmall();
    const sources = values['no-stations'] ? [] : chooseSources(config, values.stations);
    const applied = await migrateSchema(config, { withBackup: !values['without-backup'] });
    say('Schema', applied.length === 0 ? 'up to date' : `brought up to date (${applied.at(-1)})`);
    await using context = openContext(config, { name: 'setup', statementTimeoutMs: MAX_STATEMENT_MS });
    const { pool } = context;
    await claimInstallation(pool, 'directory');
    await using steps = new SetupSteps(pool);
    say('Places', await fillPlaces(pool, steps));
    // A service for the world has no home.
    if (config.publicHosts.length === 0 || values.home !== undefined)
      say('Home', await chooseHome(pool, homeAsked(config, values.home)));
    for (const source of sources) say('Stations', await fillStations(config, pool, source, steps));
    await steps[Symbol.asyncDispose]();
    await sayWhatIsNext(config, pool);
  },
};

const say = (what: string, how: string): void => console.log(`${what.padEnd(9)} ${how}`);

const homeAsked = ({ homePlace }: Config, given: string | undefined) => ({
  setting: homePlace,
  given,
  zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  ask: given === undefined ? questions() : undefined,
});

/** What was asked for on the command line, else the settings', else the world's. */
function chooseSources(config: Config, asked: string | undefined): readonly ConfiguredSource[] {
  if (asked === undefined && config.stationSources.length > 0) return config.stationSources;
  const address = asked === undefined || isUrl(asked) || isAbsolute(asked) ? asked : resolve(asked);
  const text = address === undefined ? WORLD : `radio-browser=${address}`;
  const sources = SOURCE_SETTINGS.stationSources.parse(text);
  if (!sources)
    throw new UsageError(
      `'${asked}' does not tell its kind by its ending (.json, .jsonl, .csv, .m3u, .pls, .opml, also .gz); import it with longwave import`,
    );
  return sources;
}

/** How far the setup is: on the terminal or in the log, and in the database, from where the site shows it. */
class SetupSteps implements AsyncDisposable {
  readonly #pool: Pool;
  #savedAt = Number.NEGATIVE_INFINITY;
  #saving: Promise<unknown> = Promise.resolve();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  begin(step: string): { show(done: number, fraction?: number, what?: string): void; end(): void } {
    const terminal = new ProgressReport(process.stderr);
    this.#save(step, 0, true);
    return {
      show: (done, fraction, what = step) => {
        terminal.show({ what, done, fraction });
        this.#save(step, done);
      },
      end: () => terminal.end(),
    };
  }

  /** Written behind; a failure only makes the site say less. */
  #save(step: string, done: number, now = false): void {
    if (!now && performance.now() - this.#savedAt < SAVE_PROGRESS_MS) return;
    this.#savedAt = performance.now();
    this.#saving = this.#saving.then(() => saveSetupProgress(this.#pool, step, done)).catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#saving;
    await saveSetupProgress(this.#pool, undefined).catch(() => undefined);
  }
}

async function fillPlaces(pool: Pool, steps: SetupSteps): Promise<string> {
  if (await hasPlaces(pool)) return 'all there';
  const progress = steps.begin('places');
  const summary = await importPlaces(pool, ({ what, done, total }) =>
    progress.show(done, total > 0 ? done / total : undefined, what),
  );
  progress.end();
  return Object.entries(summary)
    .map(([what, { read }]) => `${read.toLocaleString('en-US')} ${what}`)
    .join(', ');
}

async function fillStations(
  config: Config,
  pool: Pool,
  source: ConfiguredSource,
  steps: SetupSteps,
): Promise<string> {
  const readAt = await findSourceRead(pool, recordSourceOf(source.kind, source.name), source.address);
  if (readAt)
    return `${source.name}: read on ${readAt.toString().slice(0, 10)}; longwave work reads it again daily, longwave import sources at once`;
  const progress = steps.begin('stations');
  const { text, isComplete, summary } = await importSource({ config, pool, source }, (read) =>
    progress.show(read, undefined, 'entries'),
  );
  progress.end();
  if (!isComplete)
    throw new Error(
      `${source.name}: ${text}\n  everything else is ready; run longwave setup again, or bring a file: longwave setup --stations FILE`,
    );
  return `${source.name}: ${summary ? writeFilled(summary) : text}`;
}

/** A list has several entries of a station that has several streams, and some that are none. */
function writeFilled(summary: ImportSummary): string {
  const refused = summary.refused.values().reduce((sum, value) => sum + value, 0);
  const without = refused === 0 ? '' : `, ${refused.toLocaleString('en-US')} of them refused`;
  const filled = `${count(summary.stationsAdded, 'station')} with ${count(summary.streamsAdded, 'stream')}`;
  return `${filled}, from a list of ${count(summary.read, 'entry', 'entries')}${without}`;
}

const count = (value: number, one: string, many = `${one}s`): string =>
  `${value.toLocaleString('en-US')} ${value === 1 ? one : many}`;

async function sayWhatIsNext(config: Config, pool: Pool): Promise<void> {
  if (config.stationSources.length === 0)
    say('Daily', `set STATION_SOURCES='${WORLD}', and longwave work imports the stations again every day`);
  const why = whyNoOperator(config);
  if (why !== undefined) say('Operator', `none yet: ${why}`);
  else if (await hasOperator(pool))
    say('Operator', 'there is one; longwave account operator makes another link');
  else
    say('Operator', `open this within ${OPERATOR_LINK_HOURS} hours: ${await makeOperatorLink(pool, config)}`);
  console.log(
    '\nReady. longwave serve answers radios, longwave work beside it listens to streams; longwave doctor proves it.',
  );
}
