/** Who said what plays: the stream itself, its server, or the station. */
export const SONG_SOURCES = ['icy', 'ogg', 'icecast', 'shoutcast', 'hls', 'azuracast', 'push'] as const;
export type SongSource = (typeof SONG_SOURCES)[number];

/** A song that a station plays; times in milliseconds since 1970. */
export interface Song {
  readonly title: string;
  readonly artist?: string | undefined;
  readonly album?: string | undefined;
  /** A picture of it, at an address of others. */
  readonly artAddress?: string | undefined;
  /** As it was said, or when it was first heard. */
  readonly startedAt: number;
  /** Only where somebody said so. */
  readonly endsAt?: number | undefined;
  readonly source: SongSource;
  /** When it was last known to play. */
  readonly heardAt: number;
}

export interface StationSong {
  readonly stationId: number;
  readonly song: Song;
}

/** Writes songs down for good, many at a time: each is new, and none is told twice in a row. */
export type SongKeeper = (songs: readonly StationSong[]) => Promise<void>;

const MINUTE = 60_000;
/** Stations are asked every half minute at most; one that stays away four times has lost its song. */
const HEARD_MS = 2 * MINUTE;
/** A station that tells its songs tells each once: longer than nearly all of them last. */
const PUSHED_MS = 10 * MINUTE;
/** What ends later than this was a mistake, or a recording of a whole day. */
export const LONGEST_SONG_MS = 6 * 60 * MINUTE;

/** Until when a song is shown though nobody speaks of it again. */
export const shownUntil = ({ source, heardAt, endsAt = 0 }: Song): number =>
  Math.max(heardAt + (source === 'push' ? PUSHED_MS : HEARD_MS), endsAt);

export const isShown = (song: Song, nowMs: number): boolean => shownUntil(song) > nowMs;

/** Two words about one song: what is added to it, as its end, is no other song. */
export const isSameSong = (one: Song | undefined, other: Song | undefined): boolean =>
  one?.title === other?.title && one?.artist === other?.artist;

/** As one line for a display. */
export const songLine = ({ artist, title }: Pick<Song, 'artist' | 'title'>): string =>
  artist === undefined ? title : `${artist} - ${title}`;
