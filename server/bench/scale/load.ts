import type { PoolClient } from 'pg';
import { refreshSearch } from '../../src/storage/catalog/search/refresh-search.ts';
import { keepNewestTopics, type NewestTopic } from '../../src/storage/catalog/shows/newest-topics.ts';
import { listGenres } from '../../src/storage/catalog/stations/station-groups.ts';
import { copyRows, type CopyValue } from '../../src/storage/db/copy.ts';
import { transaction } from '../../src/storage/db/transaction.ts';
import type { ScaleDatabase } from './database.ts';
import { noteProgress, noteTidy, readProgress } from './progress.ts';
import { randomOf } from './random.ts';
import { FEED_COLUMNS, feedRow, type Ranks, SHOW_COLUMNS, showRow } from './rows.ts';
import { type MadeTopic, makeTopics, TOPIC_COLUMNS, topicRow } from './topics.ts';
import { GENRE_RANKS, LANGUAGES, type MadeShow, makeShow, topicCounter } from './world.ts';

/** Shows per transaction, with their topics. */
const BATCH = 2000;
export const LOADED = [
  'shows',
  'topics',
  'newest_topics',
  'feeds',
  'images',
  'search_documents',
  'search_words',
];

/** Loads what is missing of the database's world; can be stopped at any moment and called again. */
export async function load(
  database: ScaleDatabase,
  say: (text: string) => void,
  batch = BATCH,
): Promise<void> {
  const { pool, world, name } = database;
  const done = await readProgress(database);
  const ranks = await loadRanks(database);
  const topicsOf = topicCounter(world);
  const [startedAt, before] = [performance.now(), done.topics];
  while (done.shows < world.shows) {
    const count = Math.min(batch, world.shows - done.shows);
    const shows = Array.from({ length: count }, (_, n) =>
      makeShow(done.shows + n + 1, topicsOf(done.shows + n + 1)),
    );
    await transaction(pool, (client) => loadBatch(client, shows, done.topics + 1, ranks));
    done.shows += shows.length;
    done.topics += topicsIn(shows);
    const rate = ((done.topics - before) / (performance.now() - startedAt)) * 1000;
    say(`${name}: ${done.shows} shows, ${done.topics} topics, ${Math.round(rate)} topics a second`);
  }
  if (done.isTidy) return;
  say(`${name}: tidying`);
  // What autovacuum would have done in a catalogue that grew over years.
  await pool.query(`VACUUM (ANALYZE) ${LOADED.join(', ')}`);
  await noteTidy(pool);
}

const topicsIn = (shows: readonly MadeShow[]): number => shows.reduce((sum, { topics }) => sum + topics, 0);

async function loadRanks({ pool }: ScaleDatabase): Promise<Ranks> {
  const genres = (await listGenres(pool)).map(({ id }) => ({ id, turn: randomOf(id)() }));
  const { rows } = await pool.query(
    'SELECT id FROM unnest($1::text[]) WITH ORDINALITY AS t (code, n) JOIN languages USING (code) ORDER BY n',
    [LANGUAGES],
  );
  const inTurn = genres.toSorted((a, b) => a.turn - b.turn).slice(0, GENRE_RANKS);
  return { genres: inTurn.map(({ id }) => id), languages: rows.map(({ id }) => id) };
}

/** Show by show: that is the order on disk in which a show's topics are read. */
async function loadBatch(
  client: PoolClient,
  shows: readonly MadeShow[],
  serial: number,
  ranks: Ranks,
): Promise<void> {
  const copy = (table: string, columns: readonly string[], rows: Iterable<CopyValue[]>): Promise<void> =>
    copyRows(client, table, columns, rows);
  await copy(
    'shows',
    SHOW_COLUMNS,
    shows.map((show) => showRow(show, ranks)),
  );
  await copy(
    'images',
    ['kind', 'item_id', 'address'],
    shows.map(({ id, image }) => ['p', id, image]),
  );
  await copy('feeds', FEED_COLUMNS, shows.map(feedRow));
  const newest: NewestTopic[] = [];
  await copy('topics', TOPIC_COLUMNS, topicRows(shows, serial, newest));
  await keepNewestTopics(client, newest);
  await refreshSearch(client);
  const done = { shows: shows.at(-1)?.id ?? 0, topics: serial - 1 + topicsIn(shows) };
  await client.query("SELECT setval('topic_serials', $1), setval('shows_id_seq', $2)", [
    done.topics,
    done.shows,
  ]);
  await noteProgress(client, done);
}

/** Rows of all topics of the shows; records the last topic of each show, which is its newest. */
function* topicRows(
  shows: readonly MadeShow[],
  serial: number,
  newest: NewestTopic[],
): Generator<CopyValue[]> {
  let next = serial;
  for (const show of shows) {
    let last: MadeTopic | undefined;
    for (last of makeTopics(show, next)) yield topicRow(last);
    if (last) newest.push(newestTopic(last));
    next += show.topics;
  }
}

const newestTopic = ({ id, show, title, publishedAt, durationSeconds }: MadeTopic): NewestTopic => ({
  id,
  show_id: show.id,
  title,
  published_at: Temporal.Instant.from(publishedAt),
  duration_seconds: durationSeconds,
});
