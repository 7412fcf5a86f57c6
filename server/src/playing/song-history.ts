import { keepSongs } from '../catalog/songs.ts';
import type { Queryable } from '../db/pool.ts';
import type { SongKeeper } from './song.ts';

/** Keeps what was played where it outlives this process. */
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
