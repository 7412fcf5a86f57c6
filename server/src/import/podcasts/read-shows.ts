import { createReadStream, openSync, readSync, closeSync, statSync } from 'node:fs';
import { plainBytes } from '../../formats/plain-bytes.ts';
import type { ListItem } from './listed-show.ts';
import { readJsonShows } from './read-json.ts';
import { readOpmlShows } from './read-opml.ts';
import { readPodcastIndex } from './read-podcast-index.ts';

export interface ShowList {
  items: AsyncIterable<ListItem>;
  /** How much of it has been read, from 0 to 1, where that can be known. */
  fraction(): number | undefined;
}

const SQLITE = 'SQLite format 3\0';

/** A list of podcasts, told apart by its first bytes: a SQLite file, OPML, or JSON; the last two may be packed. */
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
