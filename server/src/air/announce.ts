import { Fault } from '../lib/fault.ts';
import { guideId } from '../lib/guide-id.ts';
import type { Log } from '../lib/log.ts';
import type { SongText } from '../formats/song-text.ts';
import type { PlayingBoard } from '../playing/playing-board.ts';
import { LONGEST_SONG_MS, type Song, type SongKeeper, isSameSong } from '../playing/song.ts';
import { type PlayingStore, StoreAway } from '../playing/store.ts';

export interface AnnounceNeeds {
  playing: Pick<PlayingStore, 'tell'>;
  board: Pick<PlayingBoard, 'songOf'>;
  keepSongs: SongKeeper;
  log: Log;
}

/** What a broadcaster says of its song. */
export interface Announcement extends SongText {
  artAddress?: string | undefined;
  startedAt?: number | undefined;
  endsAt?: number | undefined;
}

/** After its last word a station is polled again; longer than nearly every song, and than the news between two. */
const HOLD_MS = 10 * 60_000;
const LONGEST_HOLD_MS = 60 * 60_000;

/** Tells all processes what a station says it plays; `undefined` where it says that this is no song. */
export async function announce(
  needs: AnnounceNeeds,
  stationId: number,
  told: Announcement | undefined,
  nowMs: number,
): Promise<void> {
  const song = told && songAt(told, needs.board.songOf(stationId), nowMs);
  const holdMs = Math.min(LONGEST_HOLD_MS, Math.max(HOLD_MS, (song?.endsAt ?? 0) - nowMs));
  try {
    await needs.playing.tell([{ stationId, heard: song ?? 'nothing', dueInMs: holdMs, holdMs }]);
  } catch (error) {
    throw error instanceof StoreAway ? notKept(error) : error;
  }
  if (song) await remember(needs, stationId, song);
}

/** A song that is told again began when it was told first. */
function songAt(told: Announcement, known: Song | undefined, nowMs: number): Song {
  const { artist, title, album, artAddress, startedAt = nowMs, endsAt } = told;
  const began = isWithin(startedAt, nowMs - LONGEST_SONG_MS, nowMs) ? startedAt : nowMs;
  const song = {
    artist,
    title,
    album,
    artAddress,
    source: 'push',
    startedAt: began,
    heardAt: nowMs,
  } as const;
  const isSame = told.startedAt === undefined && isSameSong(song, known);
  const isSane = endsAt !== undefined && isWithin(endsAt, nowMs, nowMs + LONGEST_SONG_MS);
  return {
    ...song,
    startedAt: isSame ? (known?.startedAt ?? began) : began,
    endsAt: isSane ? endsAt : undefined,
  };
}

const isWithin = (at: number, from: number, until: number): boolean => at >= from && at <= until;

/** A song that is only shown and not kept is better than one that is refused. */
async function remember({ keepSongs, log }: AnnounceNeeds, stationId: number, song: Song): Promise<void> {
  try {
    await keepSongs([{ stationId, song }]);
  } catch (error) {
    log.warn(
      { err: error, station: guideId('s', stationId) },
      'a song is shown but not kept in the list of what was played',
    );
  }
}

const notKept = (cause: unknown): Fault =>
  Object.assign(
    new Fault(503, 'service.unavailable', 'What plays cannot be told just now; send it again in a minute'),
    { cause },
  );
