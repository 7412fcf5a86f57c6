import { getHeapStatistics } from 'node:v8';
import type { Pool } from 'pg';
import type { Config } from '../../app/config.ts';
import { openContext } from '../../app/context.ts';
import type { ConfiguredSource } from '../../app/settings/source-settings.ts';
import { refreshedSource } from '../../app/station-sources.ts';
import { type ImportSummary, writeSummary } from '../../import/pipeline/import-summary.ts';
import { refreshClaimed, type Refreshed, type RefreshDeps } from '../../import/refresh/refresh-source.ts';
import { systemClock } from '../../lib/clock.ts';
import { createLog } from '../../lib/log.ts';
import { ProgressReport } from '../../lib/progress.ts';
import { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { claimSourceNow } from '../../storage/catalog/stations/station-sources.ts';
import { UsageError } from '../command.ts';

const MAX_STATEMENT_MS = 600_000;

/** Imports the sources of the settings now, whether they are due or not. */
export async function importSourcesCommand(
  config: Config,
  names: readonly string[],
  { acceptDrop }: { acceptDrop: boolean },
): Promise<void> {
  const chosen = chooseSources(config.stationSources, names);
  await using context = openContext(config, { name: 'import', statementTimeoutMs: MAX_STATEMENT_MS });
  const troubled: string[] = [];
  for (const source of chosen) {
    const progress = new ProgressReport(process.stderr);
    const { text, isComplete } = await importSource(
      { config, pool: context.pool, source, acceptDrop },
      (read) => progress.show({ what: 'records', done: read }),
    );
    progress.end();
    console.log(`${source.name}: ${text}`);
    if (!isComplete) troubled.push(source.name);
  }
  if (troubled.length > 0)
    throw new Error(`${troubled.join(', ')}: not imported completely; above is why, and what to do`);
}

function chooseSources(
  configured: readonly ConfiguredSource[],
  names: readonly string[],
): readonly ConfiguredSource[] {
  if (configured.length === 0)
    throw new Error('there are no sources to import: set STATION_SOURCES (docs/import.md)');
  const unknown = names.find((name) => configured.every((source) => source.name !== name));
  if (unknown !== undefined)
    throw new UsageError(
      `STATION_SOURCES has no '${unknown}', but ${configured.map(({ name }) => name).join(', ')}`,
    );
  return names.length === 0 ? configured : configured.filter(({ name }) => names.includes(name));
}

interface ImportedNow {
  config: Config;
  pool: Pool;
  source: ConfiguredSource;
  acceptDrop?: boolean;
}

/** Reads a source to its end now; the text says how that went, and the summary what it brought. */
export async function importSource(
  { config, pool, source: configured, acceptDrop = false }: ImportedNow,
  onRead: (records: number) => void,
): Promise<{ text: string; isComplete: boolean; summary?: ImportSummary }> {
  const deps: RefreshDeps = {
    pool,
    fetcher: new SafeFetcher(),
    clock: systemClock,
    // What happens is printed by the caller.
    log: createLog({ level: 'silent' }),
    chance: Math.random,
    absence: config,
  };
  const source = refreshedSource(configured);
  const claimed = await claimSourceNow(pool, source.source);
  const refreshed = await refreshClaimed(deps, claimed, source, {
    byHand: true,
    acceptDrop,
    onProgress: ({ read }) => onRead(read),
  });
  const isComplete = refreshed.what !== 'failed' && refreshed.what !== 'held';
  const summary = 'summary' in refreshed ? { summary: refreshed.summary } : {};
  return { text: writeRefreshed(refreshed), isComplete, ...summary };
}

function writeRefreshed(refreshed: Refreshed): string {
  if (refreshed.what === 'unchanged') return 'not changed';
  if (refreshed.what !== 'failed') return writeSummary(refreshed.summary);
  const { error } = refreshed;
  return `failed: ${error instanceof Error ? error.message : String(error)}; longwave work tries again by itself`;
}

/** Enough for two batches and the world's places, with some room. */
const HEAP_MB = 160;

/**
 * By default V8 lets garbage grow with the machine's memory (450 MB for an import that runs as well in 250). The limit
 * can only be set at startup, so the process restarts itself once.
 */
export function keepHeapSmall(): void {
  const isSmall = getHeapStatistics().heap_size_limit < 2 * HEAP_MB * 2 ** 20;
  if (isSmall || !process.execve) return;
  const flags = [
    `--max-old-space-size=${HEAP_MB}`,
    '--max-semi-space-size=16',
    '--disable-warning=ExperimentalWarning',
  ];
  process.execve(process.execPath, [
    process.execPath,
    ...flags,
    ...process.execArgv,
    ...process.argv.slice(1),
  ]);
}
