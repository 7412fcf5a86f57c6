import { createReadStream, statSync, type ReadStream } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { openContext } from '../context.ts';
import { readCsvStations } from '../import/csv/read-csv.ts';
import { readM3uStations } from '../import/m3u/read-m3u.ts';
import { readOpmlStations } from '../import/opml/read-opml.ts';
import { importPlaces } from '../import/places/places.ts';
import { readRadioBrowserApi } from '../import/radio-browser/read-api.ts';
import { readRadioBrowser } from '../import/radio-browser/read-file.ts';
import { RADIO_BROWSER } from '../import/radio-browser/record.ts';
import { importStations, type SourceItem } from '../intake/import-stations.ts';
import { writeSummary } from '../intake/import-summary.ts';
import { ProgressReport } from '../lib/progress.ts';
import { UsageError, type Command } from './command.ts';
import { AFFILIATES_USAGE, importAffiliatesCommand } from './import-affiliates.ts';
import { PODCASTS_USAGE, importPodcastsCommand } from './import-podcasts.ts';
import { SCHEDULE_USAGE, importScheduleCommand } from './import-schedule.ts';
import { ReportFile } from './report-file.ts';
import { keepHeapSmall } from './small-heap.ts';

const LONGEST_STATEMENT_MS = 600_000;

export const importCommand: Command = {
  usage: [
    'import places',
    'import stations SOURCE [--report FILE]',
    'import m3u|pls|opml|csv FILE [--source NAME] [--report FILE]',
    ...AFFILIATES_USAGE,
    ...PODCASTS_USAGE,
    ...SCHEDULE_USAGE,
  ],
  summary:
    'fill the directory; SOURCE is a radio-browser address, its dump, JSON lines, or - for standard input',
  async run(args, config) {
    if (args[0] === 'affiliates') return importAffiliatesCommand(args.slice(1), config);
    if (args[0] === 'podcasts') return importPodcastsCommand(args.slice(1), config);
    if (args[0] === 'schedule') return importScheduleCommand(args.slice(1), config);
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { report: { type: 'string' }, source: { type: 'string' } },
    });
    const [kind = '', from = ''] = positionals;
    keepHeapSmall();
    if (kind === 'places') return places(config);
    const read = READERS.get(kind);
    if (!read) throw new UsageError(`cannot import '${kind}'`);
    if (from === '') throw new UsageError(`say what to import: import ${kind} FILE`);
    const source = openSource({ kind, read, from, name: values.source });
    const report = values.report === undefined ? undefined : new ReportFile(values.report, from);
    await stations(config, source, report);
    if (report) console.log(`each refused and merged record is in ${values.report}`);
  },
};

type Reader = (bytes: AsyncIterable<Uint8Array>, source: string) => AsyncGenerator<SourceItem>;

const READERS = new Map<string, Reader>([
  ['stations', (bytes) => readRadioBrowser(bytes)],
  ['m3u', readM3uStations],
  ['pls', readM3uStations],
  ['opml', readOpmlStations],
  ['csv', readCsvStations],
]);

interface Source {
  name: string;
  items: AsyncIterable<SourceItem>;
  /** How much of it has been read, from 0 to 1, where that can be known. */
  fraction(): number | undefined;
}

interface Asked {
  kind: string;
  read: Reader;
  from: string;
  name: string | undefined;
}

function openSource({ kind, read, from, name }: Asked): Source {
  if (kind === 'stations' && /^https?:\/\//.test(from)) {
    return { name: RADIO_BROWSER, items: readRadioBrowserApi(from), fraction: () => undefined };
  }
  const source = kind === 'stations' ? RADIO_BROWSER : `${kind}:${name ?? basename(from)}`.slice(0, 100);
  if (from === '-') return { name: source, items: read(process.stdin, source), fraction: () => undefined };
  const file = openFile(from);
  const { size } = statSync(from);
  return { name: source, items: read(file, source), fraction: () => file.bytesRead / size };
}

function openFile(path: string): ReadStream {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new Error(`there is no file ${path}`);
  return createReadStream(path, { highWaterMark: 256 * 1024 });
}

async function stations(config: Config, source: Source, report: ReportFile | undefined): Promise<void> {
  await using context = openContext(config, { name: 'import', statementTimeoutMs: LONGEST_STATEMENT_MS });
  const progress = new ProgressReport(process.stderr);
  const summary = await importStations({
    pool: context.pool,
    source: source.name,
    items: source.items,
    onProgress: ({ read }) => progress.show({ what: 'records', done: read, fraction: source.fraction() }),
    onNotice: (notice) => report?.write(notice),
  });
  progress.end();
  console.log(writeSummary(summary));
  await report?.close();
}

async function places(config: Config): Promise<void> {
  await using context = openContext(config, { name: 'import', statementTimeoutMs: LONGEST_STATEMENT_MS });
  const progress = new ProgressReport(process.stderr);
  const summary = await importPlaces(context.pool, ({ what, done, total }) =>
    progress.show({ what, done, fraction: total > 0 ? done / total : undefined }),
  );
  progress.end();
  for (const [what, { read, added, changed }] of Object.entries(summary)) {
    console.log(`${read.toLocaleString('en-US')} ${what}: ${added} added, ${changed} changed`);
  }
}
