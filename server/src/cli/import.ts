import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import type { Config } from '../app/config.ts';
import { openContext } from '../app/context.ts';
import { recordSourceOf } from '../app/settings/source-settings.ts';
import { findReader, type StationReader } from '../app/station-sources.ts';
import { importAffiliates } from '../import/networks/save-affiliates.ts';
import { withImportSession } from '../import/pipeline/import-lock.ts';
import { importStations, type SourceItem } from '../import/pipeline/import-stations.ts';
import { writeSummary } from '../import/pipeline/import-summary.ts';
import { importPlaces } from '../import/sources/places/places.ts';
import { importShows, writeShowsSummary } from '../import/sources/podcasts/import-shows.ts';
import { openShowList } from '../import/sources/podcasts/read-shows.ts';
import { readRadioBrowserApi } from '../import/sources/radio-browser/read-api.ts';
import { RADIO_BROWSER } from '../import/sources/radio-browser/record.ts';
import { ProgressReport } from '../lib/progress.ts';
import { type Command, UsageError } from './command.ts';
import { openListFile, readListFile } from './imports/list-file.ts';
import { ALIASES_USAGE, importAliasesCommand } from './imports/import-aliases.ts';
import { importScheduleCommand, SCHEDULE_USAGE } from './imports/import-schedule.ts';
import { importSourcesCommand, keepHeapSmall } from './imports/import-sources.ts';
import { ReportFile } from './imports/report-file.ts';

const MAX_STATEMENT_MS = 600_000;

export const importCommand: Command = {
  usage: [
    'import places',
    'import sources [NAME …] [--accept-drop]',
    'import stations SOURCE [--source NAME] [--accept-drop] [--report FILE]',
    'import m3u|pls|opml|csv FILE [--source NAME] [--accept-drop] [--report FILE]',
    ...ALIASES_USAGE,
    'import affiliates FILE',
    'import podcasts FILE [--report FILE]',
    ...SCHEDULE_USAGE,
  ],
  summary:
    'fill the directory; SOURCE is a radio-browser address, its dump, JSON lines, or - for standard input; sources are those of STATION_SOURCES',
  async run(args, config) {
    if (args[0] === 'aliases') return importAliasesCommand(args.slice(1), config);
    if (args[0] === 'affiliates') return importAffiliatesCommand(args.slice(1), config);
    if (args[0] === 'podcasts') return importPodcastsCommand(args.slice(1), config);
    if (args[0] === 'schedule') return importScheduleCommand(args.slice(1), config);
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        report: { type: 'string' },
        source: { type: 'string' },
        'accept-drop': { type: 'boolean', default: false },
      },
    });
    const [kind = '', from = ''] = positionals;
    keepHeapSmall();
    if (kind === 'places') return runPlaces(config);
    if (kind === 'sources')
      return importSourcesCommand(config, positionals.slice(1), { acceptDrop: values['accept-drop'] });
    const read = findReader(kind);
    if (!read) throw new UsageError(`cannot import '${kind}'`);
    if (from === '') throw new UsageError(`give what to import: import ${kind} FILE`);
    const source = openSource({ kind, read, from, name: values.source });
    const report = values.report === undefined ? undefined : new ReportFile(values.report, from);
    await runStations(config, source, { report, acceptDrop: values['accept-drop'] });
    if (report) console.log(`each refused and merged record is in ${values.report}`);
  },
};

interface Source {
  name: string;
  items: AsyncIterable<SourceItem>;
  /** The fraction read so far, from 0 to 1, if known. */
  fraction(): number | undefined;
}

interface Asked {
  kind: string;
  read: StationReader;
  from: string;
  name: string | undefined;
}

function openSource({ kind, read, from, name }: Asked): Source {
  if (kind === 'stations' && /^https?:\/\//.test(from)) {
    return { name: RADIO_BROWSER, items: readRadioBrowserApi(from), fraction: () => undefined };
  }
  const source = recordSourceOf(kind, name ?? (kind === 'stations' ? RADIO_BROWSER : basename(from)));
  if (from === '-') return { name: source, items: read(process.stdin, source), fraction: () => undefined };
  const { file, size } = openListFile(from);
  return { name: source, items: read(file, source), fraction: () => file.bytesRead / size };
}

async function runStations(
  config: Config,
  source: Source,
  { report, acceptDrop }: { report: ReportFile | undefined; acceptDrop: boolean },
): Promise<void> {
  await using context = openContext(config, { name: 'import', statementTimeoutMs: MAX_STATEMENT_MS });
  const progress = new ProgressReport(process.stderr);
  const summary = await importStations({
    pool: context.pool,
    source: source.name,
    items: source.items,
    absence: { ...config, acceptDrop },
    onProgress: ({ read }) => progress.show({ what: 'records', done: read, fraction: source.fraction() }),
    onNotice: (notice) => report?.write(notice),
  });
  progress.end();
  console.log(writeSummary(summary));
  await report?.close();
}

async function runPlaces(config: Config): Promise<void> {
  await using context = openContext(config, { name: 'import', statementTimeoutMs: MAX_STATEMENT_MS });
  const progress = new ProgressReport(process.stderr);
  const summary = await importPlaces(context.pool, ({ what, done, total }) =>
    progress.show({ what, done, fraction: total > 0 ? done / total : undefined }),
  );
  progress.end();
  for (const [what, { read, added, changed }] of Object.entries(summary)) {
    console.log(`${read.toLocaleString('en-US')} ${what}: ${added} added, ${changed} changed`);
  }
}

/** Enough to see what is wrong with a file. */
const MAX_REPORTED = 20;

/** An operator's own networks, which later imports preserve; docs/import.md has the format. */
async function importAffiliatesCommand(args: string[], config: Config): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0)
    throw new UsageError('give what to import: import affiliates FILE');
  const text = readListFile(path);
  await using context = openContext(config, { name: 'import', statementTimeoutMs: MAX_STATEMENT_MS });
  const { networks, stations, changed, refused } = await withImportSession(context.pool, (client) =>
    importAffiliates(client, text),
  );
  for (const why of refused.slice(0, MAX_REPORTED)) console.error(`left out: ${why}`);
  if (refused.length > MAX_REPORTED)
    console.error(`and ${number(refused.length - MAX_REPORTED)} more left out`);
  console.log(`${number(stations)} stations in ${number(networks)} networks; ${number(changed)} changes`);
}

const number = (value: number): string => value.toLocaleString('en-US');

async function importPodcastsCommand(args: string[], config: Config): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { report: { type: 'string' } },
  });
  const [file] = positionals;
  if (file === undefined) throw new UsageError('give what to import: import podcasts FILE');
  const list = openShowList(file);
  const report = values.report === undefined ? undefined : new ReportFile(values.report, file);
  await using context = openContext(config, { name: 'import', statementTimeoutMs: MAX_STATEMENT_MS });
  const progress = new ProgressReport(process.stderr);
  const summary = await importShows({
    pool: context.pool,
    source: `podcasts:${basename(file)}`.slice(0, 100),
    items: list.items,
    onProgress: ({ read }) => progress.show({ what: 'shows', done: read, fraction: list.fraction() }),
    onRefused: (record, why) => report?.write({ what: 'refused', record, why }),
  });
  progress.end();
  console.log(writeShowsSummary(summary));
  await report?.close();
}
