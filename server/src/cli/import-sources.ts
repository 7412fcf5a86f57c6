import type { Config } from '../app/config.ts';
import { openContext } from '../app/context.ts';
import type { ConfiguredSource } from '../app/source-settings.ts';
import { refreshedSource } from '../app/station-sources.ts';
import { writeSummary } from '../import/pipeline/import-summary.ts';
import { refreshClaimed, type Refreshed, type RefreshDeps } from '../import/refresh/refresh-source.ts';
import { systemClock } from '../lib/clock.ts';
import { createLog } from '../lib/log.ts';
import { ProgressReport } from '../lib/progress.ts';
import { SafeFetcher } from '../net/fetch/fetch-safely.ts';
import { claimSourceNow } from '../storage/catalog/stations/station-sources.ts';
import { UsageError } from './command.ts';

const MAX_STATEMENT_MS = 600_000;

/** Imports the sources of the settings now, whether they are due or not. */
export async function importSourcesCommand(
  config: Config,
  names: readonly string[],
  { acceptDrop }: { acceptDrop: boolean },
): Promise<void> {
  const chosen = chooseSources(config.stationSources, names);
  await using context = openContext(config, { name: 'import', statementTimeoutMs: MAX_STATEMENT_MS });
  const deps: RefreshDeps = {
    pool: context.pool,
    fetcher: new SafeFetcher(),
    clock: systemClock,
    // What happens is printed below.
    log: createLog({ level: 'silent' }),
    chance: Math.random,
    absence: config,
  };
  const troubled: string[] = [];
  for (const source of chosen) {
    const refreshed = await importNow(deps, source, acceptDrop);
    console.log(`${source.name}: ${writeRefreshed(refreshed)}`);
    if (refreshed.what === 'failed' || refreshed.what === 'held') troubled.push(source.name);
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

async function importNow(
  deps: RefreshDeps,
  configured: ConfiguredSource,
  acceptDrop: boolean,
): Promise<Refreshed> {
  const source = refreshedSource(configured);
  const progress = new ProgressReport(process.stderr);
  const claimed = await claimSourceNow(deps.pool, source.source);
  const refreshed = await refreshClaimed(deps, claimed, source, {
    byHand: true,
    acceptDrop,
    onProgress: ({ read }) => progress.show({ what: 'records', done: read }),
  });
  progress.end();
  return refreshed;
}

function writeRefreshed(refreshed: Refreshed): string {
  if (refreshed.what === 'unchanged') return 'not changed';
  if (refreshed.what !== 'failed') return writeSummary(refreshed.summary);
  const { error } = refreshed;
  return `failed: ${error instanceof Error ? error.message : String(error)}; longwave work tries again by itself`;
}
