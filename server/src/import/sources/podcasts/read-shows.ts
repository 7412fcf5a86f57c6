import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { ShowRecord } from '../../../core/feeds/show-record.ts';
import { readJsonItems } from '../../../formats/json-lines/read.ts';
import { readOpmlList } from '../../../formats/opml-list/parse.ts';
import { type Bytes, plainBytes } from '../../../formats/plain-bytes.ts';

interface ShowList {
  items: AsyncIterable<ListItem>;
  /** How much of it has been read, from 0 to 1, if known. */
  fraction(): number | undefined;
}

const SQLITE = 'SQLite format 3\0';

/**
 * A list of podcasts, whose format is detected by its first bytes: SQLite, OPML or JSON; the last two may be gzipped.
 */
export function openShowList(path: string): ShowList {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new Error(`there is no file ${path}`);
  if (firstBytes(path, SQLITE.length).toString('latin1') === SQLITE)
    return { items: readPodcastIndex(path), fraction: () => undefined };
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  const { size } = statSync(path);
  return { items: readText(file), fraction: () => file.bytesRead / size };
}

function firstBytes(path: string, count: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(count);
    return bytes.subarray(0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

async function* readText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ListItem> {
  const plain = plainBytes(bytes);
  const { value: head = Buffer.alloc(0) } = await plain.next();
  const isXml = /^\ufeff?\s*</.test(Buffer.from(head.subarray(0, 1000)).toString('utf8'));
  const whole = headThenRest(head, plain);
  yield* isXml ? readOpmlShows(whole) : readJsonShows(whole);
}

async function* headThenRest(head: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  yield* rest;
}

/** JSON lines, or one array, of objects with a `feed_url`; docs/podcasts.md lists the other fields. */
async function* readJsonShows(bytes: Bytes): AsyncGenerator<ListItem> {
  for await (const item of readJsonItems(bytes)) {
    const at = `entry ${item.number}`;
    if ('error' in item) yield { refused: 'not readable as JSON', at: `${at}: ${item.error}` };
    else {
      const show = listedShow(item.value);
      yield show ? { show } : { refused: 'no feed: the entry has neither feed_url, url nor xmlUrl', at };
    }
  }
}

function listedShow(value: unknown): ListedShow | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  const text = (...names: string[]): string | undefined =>
    names
      .map((name) => fields.get(name))
      .filter((said) => typeof said === 'string')
      .find((said) => said.trim() !== '');
  const list = (...names: string[]): string[] => names.flatMap((name) => texts(fields.get(name)));
  const feedAddress = text('feed_url', 'feedUrl', 'xmlUrl', 'url');
  if (feedAddress === undefined) return undefined;
  const counted = Number(fields.get('popularity') ?? Number.NaN);
  return {
    feedAddress,
    title: text('title', 'name'),
    hosts: text('author', 'hosts'),
    description: text('description'),
    homepage: text('homepage', 'link', 'htmlUrl'),
    image: text('image', 'artwork'),
    language: text('language'),
    categories: list('categories', 'category', 'tags'),
    // A show in many lists is a show with many listeners.
    popularity: Number.isFinite(counted) ? counted : list('source').length,
  };
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return value.split(',');
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Subscriptions as podcast players export them; the folders around a show are read as categories. */
export async function* readOpmlShows(bytes: Bytes): AsyncGenerator<ListItem> {
  for await (const { address, name, image, groups, attributes } of readOpmlList(bytes)) {
    yield {
      show: {
        // Where a subscription has both, `url` is its web page.
        feedAddress: attributes.get('xmlurl') || address,
        title: name,
        homepage: attributes.get('htmlurl'),
        description: attributes.get('description'),
        language: attributes.get('language'),
        image: image ?? attributes.get('imageurl'),
        categories: [...(attributes.get('category')?.split(/[,/]/) ?? []), ...groups.toReversed()],
      },
    };
  }
}

/** Rows per query: SQLite runs on this thread and blocks everything else. */
const PAGE = 500;
const CATEGORIES = Array.from({ length: 10 }, (_none, index) => `category${index + 1}`);
/** Optional columns of a dump; it must have `id` and `url`. */
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
async function* readPodcastIndex(path: string): AsyncGenerator<ListItem> {
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
  throw new Error(`${path} is not a Podcast Index dump: it has no table podcasts with id and url`);
}

function itemOf(row: Row): ListItem {
  const text = (name: string): string | undefined => {
    const value = row[name];
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  };
  const at = `podcast ${String(row['id'])}`;
  const feedAddress = text('url');
  if (feedAddress === undefined) return { refused: 'no feed: url is empty', at };
  if (Number(row['dead']) === 1) return { refused: 'dead: the index no longer finds a feed there', at };
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

/** One show of a list, by the address of its feed. */
interface ListedShow extends ShowRecord {
  feedAddress: string;
}

/** What a list yields: a show, or the reason why an entry is not one. */
export type ListItem = { show: ListedShow } | { refused: string; at: string };
