/** What a station plays. */
export interface Song {
  title: string;
  artist: string | undefined;
  /** In milliseconds since 1970. */
  startedAt: number | undefined;
}

export interface PlayingUpdate {
  id: string;
  song: Song | undefined;
}

/** The contents of a `/listen/api/playing` event; undefined if it is invalid. */
export function readPlaying(data: string): PlayingUpdate | undefined {
  const given = parse(data);
  if (!isRecord(given) || typeof given['id'] !== 'string') return undefined;
  const { id, song } = given;
  return { id, song: isRecord(song) ? readSong(song) : undefined };
}

function readSong(song: Record<string, unknown>): Song | undefined {
  const title = textOf(song['title']) ?? textOf(song['text']);
  if (title === undefined) return undefined;
  const startedAt = Date.parse(textOf(song['startedAt']) ?? '');
  return {
    title,
    artist: textOf(song['artist']),
    startedAt: Number.isNaN(startedAt) ? undefined : startedAt,
  };
}

/** The song in the answer of `Describe.ashx?c=nowplaying`, with the artist before the title. */
export function readNowPlaying(answer: unknown): Song | undefined {
  const lines: unknown[] = isRecord(answer) && Array.isArray(answer['body']) ? answer['body'] : [];
  const title = textOf(lines.filter(isRecord).find(({ key }) => key === 'song')?.['text']);
  return title === undefined ? undefined : { title, artist: undefined, startedAt: undefined };
}

export const songText = ({ title, artist }: Song): string =>
  artist === undefined ? title : `${artist} – ${title}`;

/** How long an answer about the current song is valid, by its Cache-Control; at least ten seconds between requests. */
export function holdsSeconds(cacheControl: string | null): number {
  const seconds = Number(/max-age=(\d+)/.exec(cacheControl ?? '')?.[1] ?? 30);
  return Math.min(300, Math.max(10, seconds));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
