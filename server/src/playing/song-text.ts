import { tryParseJson } from '../lib/parse-json.ts';
import { SONG_SOURCES, type Song } from './song.ts';

/** As it travels between processes. */
export const writeSong = (song: Song): string => JSON.stringify(song);

/** Another version of this program may have written it: what is not a song is none. */
export function parseSong(text: unknown): Song | undefined {
  return typeof text === 'string' ? songOf(tryParseJson(text)) : undefined;
}

export function songOf(value: unknown): Song | undefined {
  const title = textIn(value, 'title');
  const startedAt = numberIn(value, 'startedAt');
  const heardAt = numberIn(value, 'heardAt');
  const named = textIn(value, 'source');
  const source = SONG_SOURCES.find((one) => one === named);
  if (title === undefined || startedAt === undefined || heardAt === undefined || source === undefined)
    return undefined;
  return {
    title,
    artist: textIn(value, 'artist'),
    album: textIn(value, 'album'),
    artAddress: textIn(value, 'artAddress'),
    startedAt,
    endsAt: numberIn(value, 'endsAt'),
    source,
    heardAt,
  };
}

const fieldOf = (value: unknown, key: keyof Song): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;

function textIn(value: unknown, key: keyof Song): string | undefined {
  const text = fieldOf(value, key);
  return typeof text === 'string' && text !== '' ? text : undefined;
}

function numberIn(value: unknown, key: keyof Song): number | undefined {
  const number = fieldOf(value, key);
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
