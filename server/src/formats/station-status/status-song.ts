import { tryParseJson } from '../../lib/parse-json.ts';
import { type SongText, cleanText } from '../song-text.ts';
import { namedSong, splitSong } from '../icy/split-song.ts';

/** A song as a station's own server tells it, with what else that knows. */
export interface StatusSong extends SongText {
  artAddress?: string;
  startedAtMs?: number;
  endsAtMs?: number;
}

const LARGEST = 512 * 1024;

/** JSON of somebody else's, or nothing: nothing in it has the type one hopes for until it was looked at. */
export function parseStatus(text: string): unknown {
  return text.length > LARGEST ? undefined : tryParseJson(text);
}

export type StatusObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is StatusObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A member of an object, where it is one. */
export const memberOf = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

export function textOf(value: unknown, key: string): string | undefined {
  const member = memberOf(value, key);
  return typeof member === 'string' ? member : undefined;
}

/** Where the artist has no field of its own, the title holds both. */
export function songIn(value: unknown, keys = { title: 'title', artist: 'artist' }): SongText | undefined {
  const [title, artist] = [textOf(value, keys.title), textOf(value, keys.artist)];
  if (cleanText(artist ?? '') === '') return splitSong(title ?? '');
  return namedSong({ title, artist, album: textOf(value, 'album') });
}
