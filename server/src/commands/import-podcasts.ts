import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { openContext } from '../context.ts';
import { importShows } from '../import/podcasts/import-shows.ts';
import { openShowList } from '../import/podcasts/read-shows.ts';
import { writeShowsSummary } from '../import/podcasts/summary.ts';
import { ProgressReport } from '../lib/progress.ts';
import { UsageError } from './command.ts';
import { ReportFile } from './report-file.ts';

export const PODCASTS_USAGE = ['import podcasts FILE [--report FILE]'];

const LONGEST_STATEMENT_MS = 600_000;

export async function importPodcastsCommand(args: string[], config: Config): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { report: { type: 'string' } },
  });
  const [file] = positionals;
  if (file === undefined) throw new UsageError('say what to import: import podcasts FILE');
  const list = openShowList(file);
  const report = values.report === undefined ? undefined : new ReportFile(values.report, file);
  await using context = openContext(config, { name: 'import', statementTimeoutMs: LONGEST_STATEMENT_MS });
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
