import { tryParseJson } from '../lib/parse-json.ts';
import { songOf } from '../formats/song-text.ts';
import type { Announcement } from './announce.ts';

/** What AzuraCast says: a song, or that there is none. */
export interface AzuraCastWord {
  song: Announcement | undefined;
}

const LONGEST_ADDRESS = 1000;

/** AzuraCast's account of what plays, as JSON; undefined for what is none. */
export function parseAzuraCast(text: string): AzuraCastWord | undefined {
  const told = tryParseJson(text);
  const playing = fieldOf(told, 'now_playing');
  if (fieldOf(told, 'station') === undefined) return undefined;
  if (playing === undefined || fieldOf(told, 'is_online') === false) return { song: undefined };
  const named = songOfText(fieldOf(playing, 'song'));
  return { song: named && { ...named, ...timesOf(playing) } };
}

function songOfText(song: unknown): Announcement | undefined {
  const named = songOf({
    title: textIn(song, 'title') ?? textIn(song, 'text'),
    artist: textIn(song, 'artist'),
    album: textIn(song, 'album'),
  });
  const artAddress = addressOf(textIn(song, 'art'));
  return named && { ...named, ...(artAddress !== undefined && { artAddress }) };
}

/** In seconds there, and a length of 0 where it is not known. */
function timesOf(playing: unknown): Pick<Announcement, 'startedAt' | 'endsAt'> {
  const playedAt = numberIn(playing, 'played_at');
  const seconds = numberIn(playing, 'duration') ?? 0;
  if (playedAt === undefined) return {};
  return { startedAt: playedAt * 1000, ...(seconds > 0 && { endsAt: (playedAt + seconds) * 1000 }) };
}

function addressOf(text: string | undefined): string | undefined {
  if (text === undefined || text.length > LONGEST_ADDRESS || !URL.canParse(text)) return undefined;
  return /^https?:$/.test(new URL(text).protocol) ? text : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name) ?? undefined;
}

function textIn(value: unknown, name: string): string | undefined {
  const text = fieldOf(value, name);
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

function numberIn(value: unknown, name: string): number | undefined {
  const number = fieldOf(value, name);
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
