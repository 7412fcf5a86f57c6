import { readJsonItems } from '../../formats/json-lines/read.ts';
import type { Bytes } from '../../formats/plain-bytes.ts';
import type { ListedShow, ListItem } from './listed-show.ts';

/** JSON lines, or one array, of objects with a `feed_url`; what else is understood is in docs/podcasts.md. */
export async function* readJsonShows(bytes: Bytes): AsyncGenerator<ListItem> {
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
      .filter((told) => typeof told === 'string')
      .find((told) => told.trim() !== '');
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
    // A show that many lists name is one that many hear.
    popularity: Number.isFinite(counted) ? counted : list('source').length,
  };
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return value.split(',');
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
