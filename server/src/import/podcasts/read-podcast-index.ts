import { setImmediate } from 'node:timers/promises';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import type { ListedShow, ListItem } from './listed-show.ts';

/** Read at a time: SQLite answers on this thread, and nothing else runs meanwhile. */
const PAGE = 500;
const CATEGORIES = Array.from({ length: 10 }, (_none, index) => `category${index + 1}`);
/** Columns that are read where a dump has them; `id` and `url` it must have. */
const COLUMNS = [
  'title',
  'link',
  'language',
  'description',
  'imageUrl',
  'itunesAuthor',
  'popularityScore',
  'dead',
  ...CATEGORIES,
];

type Row = Readonly<Record<string, SQLOutputValue>>;

/** The Podcast Index's dump: one SQLite file with a table `podcasts`. */
export async function* readPodcastIndex(path: string): AsyncGenerator<ListItem> {
  using database = new DatabaseSync(path, { readOnly: true });
  const page = database.prepare(
    `SELECT ${columnsOf(database, path).join(', ')} FROM podcasts WHERE id > ? ORDER BY id LIMIT ${PAGE}`,
  );
  for (let after: SQLOutputValue = -1; ;) {
    const rows: Row[] = page.all(after);
    for (const row of rows) yield itemOf(row);
    const last: SQLOutputValue | undefined = rows.at(-1)?.['id'];
    if (last === undefined) return;
    after = last;
    await setImmediate();
  }
}

function columnsOf(database: DatabaseSync, path: string): string[] {
  const rows = database.prepare("SELECT name FROM pragma_table_info('podcasts')").all();
  const there = new Set(rows.map(({ name }) => name));
  if (there.has('id') && there.has('url'))
    return ['id', 'url', ...COLUMNS.filter((column) => there.has(column))];
  throw new Error(`${path} is no dump of the Podcast Index: it has no table podcasts with id and url`);
}

function itemOf(row: Row): ListItem {
  const text = (name: string): string | undefined => {
    const value = row[name];
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  };
  const at = `podcast ${String(row['id'])}`;
  const feedAddress = text('url');
  if (feedAddress === undefined) return { refused: 'no feed: url is empty', at };
  if (Number(row['dead']) === 1) return { refused: 'dead: the index found no feed there any more', at };
  const show: ListedShow = {
    feedAddress,
    title: text('title'),
    hosts: text('itunesAuthor'),
    description: text('description'),
    homepage: text('link'),
    image: text('imageUrl'),
    language: text('language'),
    categories: CATEGORIES.flatMap((column) => text(column) ?? []),
    popularity: Number(row['popularityScore'] ?? 0) || 0,
  };
  return { show };
}
