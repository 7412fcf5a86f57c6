import { Fault } from '../../lib/fault.ts';
import { guideId } from '../../lib/guide-id.ts';
import type { Log } from '../../lib/log.ts';
import type { SongText } from '../../formats/song-text.ts';
import type { PlayingBoard } from './playing-board.ts';
import { MAX_SONG_MS, type Song, type SongKeeper, isSameSong } from './song.ts';
import { type PlayingStore, StoreAway } from './store.ts';

export interface AnnounceDeps {
  playing: Pick<PlayingStore, 'publish'>;
  board: Pick<PlayingBoard, 'songOf'>;
  keepSongs: SongKeeper;
  log: Log;
}

/** A song as its broadcaster sent it. */
export interface Announcement extends SongText {
  artAddress?: string | undefined;
  startedAt?: number | undefined;
  endsAt?: number | undefined;
}

/** A station is polled again this long after its last message; longer than nearly every song or news break. */
const HOLD_MS = 10 * 60_000;
const MAX_HOLD_MS = 60 * 60_000;

/** Publishes to all processes what a station says it plays; `undefined` when that is not a song. */
export async function announce(
  deps: AnnounceDeps,
  stationId: number,
  announced: Announcement | undefined,
  nowMs: number,
): Promise<void> {
  const song = announced && songAt(announced, deps.board.songOf(stationId), nowMs);
  const holdMs = Math.min(MAX_HOLD_MS, Math.max(HOLD_MS, (song?.endsAt ?? 0) - nowMs));
  try {
    await deps.playing.publish([{ stationId, heard: song ?? 'nothing', dueInMs: holdMs, holdMs }]);
  } catch (error) {
    throw error instanceof StoreAway ? notKept(error) : error;
  }
  if (song) await remember(deps, stationId, song);
}

/** A song sent again began when it was first sent. */
function songAt(announced: Announcement, known: Song | undefined, nowMs: number): Song {
  const { artist, title, album, artAddress, startedAt = nowMs, endsAt } = announced;
  const began = isWithin(startedAt, nowMs - MAX_SONG_MS, nowMs) ? startedAt : nowMs;
  const song = {
    artist,
    title,
    album,
    artAddress,
    source: 'push',
    startedAt: began,
    heardAt: nowMs,
  } as const;
  const isSame = announced.startedAt === undefined && isSameSong(song, known);
  const isSane = endsAt !== undefined && isWithin(endsAt, nowMs, nowMs + MAX_SONG_MS);
  return {
    ...song,
    startedAt: isSame ? (known?.startedAt ?? began) : began,
    endsAt: isSane ? endsAt : undefined,
  };
}

const isWithin = (at: number, from: number, until: number): boolean => at >= from && at <= until;

/** A song that is displayed but not stored is better than one that is refused. */
async function remember({ keepSongs, log }: AnnounceDeps, stationId: number, song: Song): Promise<void> {
  try {
    await keepSongs([{ stationId, song }]);
  } catch (error) {
    log.warn(
      { err: error, station: guideId('s', stationId) },
      'a song is shown but could not be stored in the history',
    );
  }
}

const notKept = (cause: unknown): Fault =>
  Object.assign(
    new Fault(503, 'service.unavailable', 'Songs cannot be accepted right now; send it again in a minute'),
    { cause },
  );
