import type { Pool, PoolClient } from 'pg';
import { addFeeds } from '../../catalog/feeds.ts';
import { ensureGenres } from '../../catalog/genres.ts';
import { addShows, fillShows, idsOfShowsByFeed, type NewFedShow } from '../../catalog/shows-told.ts';
import { bumpCatalogue } from '../../catalog/version.ts';
import { inTransaction } from '../../db/transaction.ts';
import { cleanFeedAddress } from '../../intake/feeds/feed-address.ts';
import { toldShow } from '../../intake/feeds/show-record.ts';
import { withImportSession } from '../../intake/import-lock.ts';
import type { ListItem } from './listed-show.ts';
import { finishRun, startRun } from './runs.ts';
import { emptySummary, type ShowsSummary } from './summary.ts';

export interface ImportShowsOptions {
  pool: Pool;
  source: string;
  items: AsyncIterable<ListItem>;
  /** Told after each batch. */
  onProgress?: (summary: Readonly<ShowsSummary>) => void;
  /** Told of each entry that was refused. */
  onRefused?: (at: string, why: string) => void;
}

const BATCH_SIZE = 1000;

/**
 * Reads a list of shows to its end. Each batch is one transaction, so that a run that is killed leaves whole batches
 * behind; running again finds them by their feeds and writes only what differs.
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
    const found = settle(item, batch);
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

/** A show of the list, which may tell no title. */
type FoundShow = Omit<NewFedShow, 'title'> & { title?: string };

function settle(item: ListItem, batch: ReadonlyMap<string, FoundShow>): FoundShow | { refused: string } {
  if ('refused' in item) return item;
  const { feedAddress, ...record } = item.show;
  const feed = cleanFeedAddress(feedAddress);
  if ('refused' in feed) return feed;
  if (batch.has(feed.key)) return { refused: 'the same feed was listed just before' };
  return { ...toldShow(record), feedAddress: feed.address, feedKey: feed.key };
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

/** Until its feed is read, a show without a title goes by its host. */
const titled = (show: FoundShow): NewFedShow => ({ title: new URL(show.feedAddress).host, ...show });
