import type { Pool } from 'pg';
import type { Clock } from '../../lib/clock.ts';
import { uuidOf } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import {
  type ClaimedSource,
  recordSourceFailure,
  recordSourceRead,
  renewClaim,
  SOURCE_LEASE_SECONDS,
} from '../../storage/catalog/stations/station-sources.ts';
import { type Withdrawn, withdrawRecords } from '../pipeline/absent-records.ts';
import { withImportSession } from '../pipeline/import-lock.ts';
import { type AbsenceRules, importStations, type SourceItem } from '../pipeline/import-stations.ts';
import type { ImportSummary } from '../pipeline/import-summary.ts';
import {
  fetchSource,
  openFileSource,
  type OpenSource,
  SOURCE_LIMITS,
  type SourceLimits,
} from './open-source.ts';

export interface RefreshDeps {
  /** Its statements may take as long as those of an import. */
  pool: Pool;
  fetcher: Pick<SafeFetcher, 'fetch'>;
  clock: Clock;
  log: Log;
  /** From 0 to 1. */
  chance: () => number;
  absence: Omit<AbsenceRules, 'acceptDrop'>;
  limits?: SourceLimits;
}

/** A source, and how it is read. */
export interface RefreshedSource {
  /** As its records name it. */
  source: string;
  address: string;
  isUrl: boolean;
  read: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<SourceItem>;
}

interface RefreshOptions {
  signal?: AbortSignal | undefined;
  /** An operator asks: all of it is read, also if it has not changed. */
  byHand?: boolean;
  acceptDrop?: boolean;
  onProgress?: (summary: Readonly<ImportSummary>) => void;
}

export type Refreshed =
  | { what: 'imported' | 'held'; summary: ImportSummary }
  | { what: 'unchanged'; withdrawn: Withdrawn }
  | { what: 'failed'; error: unknown };

const DAY_SECONDS = 86_400;
/** The last hour of the day is chance, so that not all directories of the world ask at the same minute. */
const JITTER_SECONDS = 3600;
const [FIRST_PAUSE_SECONDS, MAX_PAUSE_SECONDS] = [600, DAY_SECONDS / 2];

/**
 * Reads a claimed source and records how that went and when it is due next. Throws only when the signal aborts,
 * or when that cannot be recorded.
 */
export async function refreshClaimed(
  deps: RefreshDeps,
  claimed: ClaimedSource,
  source: RefreshedSource,
  options: RefreshOptions = {},
): Promise<Refreshed> {
  using renewing = keepClaim(deps, claimed);
  void renewing;
  try {
    return await read(deps, claimed, source, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    const waitSeconds = pauseAfter(claimed.failures + 1);
    const trouble = error instanceof Error ? error.message : String(error);
    await recordSourceFailure(deps.pool, claimed, { dueInSeconds: waitSeconds, trouble });
    deps.log.warn(
      { source: source.source, failures: claimed.failures + 1, waitSeconds, trouble },
      'could not import a source; what it said before stays',
    );
    return { what: 'failed', error };
  }
}

const pauseAfter = (failures: number): number =>
  Math.min(FIRST_PAUSE_SECONDS * 2 ** (failures - 1), MAX_PAUSE_SECONDS);

async function read(
  deps: RefreshDeps,
  claimed: ClaimedSource,
  source: RefreshedSource,
  options: RefreshOptions,
): Promise<Refreshed> {
  const { pool, clock, chance, log } = deps;
  const addressKey = uuidOf(source.address);
  const isSame = claimed.address_key === addressKey && !options.byHand;
  const known = isSame
    ? { etag: claimed.etag ?? undefined, lastModified: claimed.last_modified ?? undefined }
    : {};
  const dueInSeconds = DAY_SECONDS - JITTER_SECONDS * chance();
  await using content = await openSource(deps, source, known, options.signal);
  if (!content) {
    const withdrawn = await withImportSession(pool, (client) =>
      withdrawRecords(client, {
        source: source.source,
        now: clock.now(),
        afterDays: deps.absence.withdrawAfterDays,
      }),
    );
    await recordSourceRead(pool, claimed, { ...known, addressKey, dueInSeconds, held: undefined });
    log.info({ source: source.source, withdrawn: withdrawn.records }, 'a source has not changed');
    return { what: 'unchanged', withdrawn };
  }
  const summary = await importStations({
    pool,
    source: source.source,
    items: untilAborted(source.read(content.bytes), options.signal),
    clock,
    absence: { ...deps.absence, acceptDrop: options.acceptDrop ?? false },
    ...(options.onProgress && { onProgress: options.onProgress }),
  });
  const { held } = summary;
  // All of it is read again the next day if it was not believed.
  const validators = held ? {} : content.validators;
  await recordSourceRead(pool, claimed, { ...validators, addressKey, dueInSeconds, held });
  report(log, source.source, summary);
  return { what: held ? 'held' : 'imported', summary };
}

const openSource = (
  { fetcher, limits = SOURCE_LIMITS }: RefreshDeps,
  { isUrl, address }: RefreshedSource,
  validators: { etag?: string | undefined; lastModified?: string | undefined },
  signal: AbortSignal | undefined,
): Promise<OpenSource | undefined> =>
  isUrl ? fetchSource({ fetcher, address, validators, limits, signal }) : openFileSource(address);

function report(log: Log, source: string, summary: ImportSummary): void {
  const { read: records, added, merged, changed, absent, withdrawn, held } = summary;
  if (held)
    log.warn(
      { source, known: held.known, lost: held.lost },
      'a source lacks so many records that none counts as gone; if that is right: longwave import sources --accept-drop',
    );
  else
    log.info({ source, records, added: added + merged, changed, absent, withdrawn }, 'a source was imported');
}

/** A worker that stops does not import the rest; complete batches stay. */
async function* untilAborted(
  items: AsyncIterable<SourceItem>,
  signal: AbortSignal | undefined,
): AsyncGenerator<SourceItem> {
  for await (const item of items) {
    signal?.throwIfAborted();
    yield item;
  }
}

/** Renews the claim until disposed of; a failure does no harm, since the next one comes before the lease ends. */
function keepClaim({ pool }: RefreshDeps, claimed: ClaimedSource): Disposable {
  const renewing = setInterval(
    () => void renewClaim(pool, claimed).catch(() => undefined),
    (SOURCE_LEASE_SECONDS * 1000) / 5,
  );
  return { [Symbol.dispose]: () => clearInterval(renewing) };
}
