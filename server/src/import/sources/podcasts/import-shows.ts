import type { Pool, PoolClient } from 'pg';
import { cleanFeedAddress } from '../../../core/cleaning/clean-address.ts';
import { showUpdate } from '../../../core/feeds/show-record.ts';
import { addFeeds } from '../../../storage/catalog/feeds/feeds.ts';
import {
  addShows,
  fillShows,
  idsOfShowsByFeed,
  type NewFedShow,
} from '../../../storage/catalog/shows/shows.ts';
import { ensureGenres } from '../../../storage/catalog/stations/station-groups.ts';
import { bumpCatalogue } from '../../../storage/catalog/stations/version.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import { statement } from '../../../storage/db/statement.ts';
import { inTransaction } from '../../../storage/db/transaction.ts';
import { withImportSession } from '../../pipeline/import-lock.ts';
import type { ListItem } from './read-shows.ts';

interface ImportShowsOptions {
  pool: Pool;
  source: string;
  items: AsyncIterable<ListItem>;
  /** Called after each batch. */
  onProgress?: (summary: Readonly<ShowsSummary>) => void;
  /** Called for each entry that was refused. */
  onRefused?: (at: string, why: string) => void;
}

const BATCH_SIZE = 1000;

/**
 * Reads a list of shows to its end. Each batch is one transaction, so that a killed run leaves complete batches
 * behind; running it again finds shows by their feeds and writes only what differs.
 */
export const importShows = (options: ImportShowsOptions): Promise<ShowsSummary> =>
  withImportSession(options.pool, (client) => importOn(client, options));

async function importOn(client: PoolClient, options: ImportShowsOptions): Promise<ShowsSummary> {
  const { source, items, onProgress } = options;
  const summary = emptySummary();
  await inTransaction(client, () => ensureGenres(client));
  const runId = await startRun(client, source);
  for await (const batch of batches(items, summary, options)) {
    await importBatch(client, batch, summary);
    onProgress?.(summary);
  }
  await finishRun(client, runId, summary);
  return summary;
}

async function* batches(
  items: AsyncIterable<ListItem>,
  summary: ShowsSummary,
  { onRefused }: ImportShowsOptions,
): AsyncGenerator<FoundShow[]> {
  let batch = new Map<string, FoundShow>();
  for await (const item of items) {
    summary.read += 1;
    const found = resolveShow(item, batch);
    if ('refused' in found) {
      summary.refused.set(found.refused, (summary.refused.get(found.refused) ?? 0) + 1);
      onRefused?.('show' in item ? item.show.feedAddress : item.at, found.refused);
      continue;
    }
    batch.set(found.feedKey, found);
    if (batch.size < BATCH_SIZE) continue;
    yield [...batch.values()];
    batch = new Map();
  }
  if (batch.size > 0) yield [...batch.values()];
}

/** A show of the list, which may have no title. */
type FoundShow = Omit<NewFedShow, 'title'> & { title?: string };

function resolveShow(item: ListItem, batch: ReadonlyMap<string, FoundShow>): FoundShow | { refused: string } {
  if ('refused' in item) return item;
  const { feedAddress, ...record } = item.show;
  const feed = cleanFeedAddress(feedAddress);
  if ('refused' in feed) return feed;
  if (batch.has(feed.key)) return { refused: 'the same feed is listed twice' };
  return { ...showUpdate(record), feedAddress: feed.address, feedKey: feed.key };
}

async function importBatch(
  client: PoolClient,
  batch: readonly FoundShow[],
  summary: ShowsSummary,
): Promise<void> {
  const { added, changed } = await inTransaction(client, () => writeBatch(client, batch));
  summary.added += added;
  summary.changed += changed;
  summary.unchanged += batch.length - added - changed;
}

async function writeBatch(
  client: PoolClient,
  batch: readonly FoundShow[],
): Promise<{ added: number; changed: number }> {
  const known = await idsOfShowsByFeed(
    client,
    batch.map(({ feedKey }) => feedKey),
  );
  const added = await addShows(client, batch.filter(({ feedKey }) => !known.has(feedKey)).map(titled));
  await addFeeds(client, [...added.values(), ...known.values()]);
  const changed = await fillShows(
    client,
    batch.flatMap((show) => {
      const id = known.get(show.feedKey);
      return id === undefined ? [] : { ...show, id };
    }),
  );
  if (added.size + changed.size > 0) await bumpCatalogue(client);
  return { added: added.size, changed: changed.size };
}

/** Until its feed is read, a show without a title is named after its host. */
const titled = (show: FoundShow): NewFedShow => ({ title: new URL(show.feedAddress).host, ...show });

const start = statement(
  'import-run-start',
  { id: 'int8' },
  'INSERT INTO import_runs (source) VALUES ($1) RETURNING id',
);

async function startRun(db: Queryable, source: string): Promise<number> {
  const [run] = await start.run(db, [source]);
  return run?.id ?? 0;
}

const finish = statement(
  'import-run-finish',
  {},
  'UPDATE import_runs SET finished_at = now(), summary = $2 WHERE id = $1',
);

async function finishRun(db: Queryable, id: number, summary: ShowsSummary): Promise<void> {
  await finish.run(db, [id, { ...summary, refused: Object.fromEntries(summary.refused) }]);
}

/** The outcome of importing a list, in shows. */
export interface ShowsSummary {
  read: number;
  added: number;
  changed: number;
  unchanged: number;
  /** Count by reason. */
  refused: Map<string, number>;
}

const emptySummary = (): ShowsSummary => ({
  read: 0,
  added: 0,
  changed: 0,
  unchanged: 0,
  refused: new Map(),
});

const number = (value: number): string => value.toLocaleString('en-US');

export function writeShowsSummary({ read, added, changed, unchanged, refused }: ShowsSummary): string {
  const total = refused.values().reduce((sum, count) => sum + count, 0);
  const reasons = [...refused].toSorted((a, b) => b[1] - a[1]);
  return [
    `${number(read)} shows read`,
    `  ${number(added)} added`,
    `  ${number(changed)} changed`,
    `  ${number(unchanged)} unchanged`,
    `  ${number(total)} refused`,
    ...reasons.map(([reason, count]) => `    ${number(count)} ${reason}`),
  ].join('\n');
}
