import { keepSongs } from '../../storage/catalog/songs.ts';
import type { Queryable } from '../../storage/db/pool.ts';

/** Where a song was reported: by the stream itself, its server, or the station. */
export const SONG_SOURCES = ['icy', 'ogg', 'icecast', 'shoutcast', 'hls', 'azuracast', 'push'] as const;
export type SongSource = (typeof SONG_SOURCES)[number];

/** A song that a station plays; times in milliseconds since 1970. */
export interface Song {
  readonly title: string;
  readonly artist?: string | undefined;
  readonly album?: string | undefined;
  /** Its artwork, at a third party's address. */
  readonly artAddress?: string | undefined;
  /** As reported, or when it was first heard. */
  readonly startedAt: number;
  /** Only when the source gave it. */
  readonly endsAt?: number | undefined;
  readonly source: SongSource;
  /** When it was last known to play. */
  readonly heardAt: number;
}

export interface StationSong {
  readonly stationId: number;
  readonly song: Song;
}

/** Stores songs permanently, in batches: each is new, and none is repeated in a row. */
export type SongKeeper = (songs: readonly StationSong[]) => Promise<void>;

const MINUTE = 60_000;
/** Stations are polled every half minute at most; after four missed polls the song is dropped. */
const HEARD_MS = 2 * MINUTE;
/** A station that pushes its songs sends each once: longer than nearly all of them last. */
const PUSHED_MS = 10 * MINUTE;
/** A later end is an error, or a recording of a whole day. */
export const MAX_SONG_MS = 6 * 60 * MINUTE;

/** Until when a song is shown if it is not reported again. */
export const shownUntil = ({ source, heardAt, endsAt = 0 }: Song): number =>
  Math.max(heardAt + (source === 'push' ? PUSHED_MS : HEARD_MS), endsAt);

export const isShown = (song: Song, nowMs: number): boolean => shownUntil(song) > nowMs;

/** Two reports of one song: added details, such as its end, do not make it another song. */
export const isSameSong = (one: Song | undefined, other: Song | undefined): boolean =>
  one?.title === other?.title && one?.artist === other?.artist;

/** As a single line for a display. */
export const songLine = ({ artist, title }: Pick<Song, 'artist' | 'title'>): string =>
  artist === undefined ? title : `${artist} - ${title}`;

/** Stores played songs in the database. */
export const songHistory =
  (db: Queryable): SongKeeper =>
  (songs) =>
    keepSongs(
      db,
      songs.map(({ stationId, song: { startedAt, artist, title, album } }) => ({
        stationId,
        startedAtMs: startedAt,
        artist,
        title,
        album,
      })),
    );
