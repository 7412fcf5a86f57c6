import { ReadThrough } from '../cache/read-through.ts';
import { type SongRow, listSongs } from '../catalog/songs.ts';
import type { Queryable } from '../db/pool.ts';
import { Fault } from '../lib/fault.ts';
import type { PlayingSong } from './on-air.ts';

/** Longer than nearly every song. */
const MAY_STILL_PLAY = { minutes: 10 };
const FRESH_MS = 15_000;
/** Nobody is kept waiting longer for what may be over. */
const DEADLINE_MS = 250;

/** What stations were last heard to play, for those of which nobody knows more yet, as after a restart. */
export class LastSongs {
  readonly #read: ReadThrough<SongRow | undefined>;

  constructor(db: Queryable) {
    this.#read = new ReadThrough({
      load: async (id) => (await listSongs(db, Number(id), 1))[0],
      most: 5000,
      freshMs: FRESH_MS,
      staleMs: FRESH_MS,
      deadlineMs: DEADLINE_MS,
    });
  }

  /** One that may still play; nothing while the database is away. */
  async find(stationId: number, now: Temporal.Instant): Promise<PlayingSong | undefined> {
    const last = await this.#read.get(String(stationId)).catch(nothingUnlessWrong);
    if (!last || Temporal.Instant.compare(last.started_at, now.subtract(MAY_STILL_PLAY)) < 0)
      return undefined;
    const { title, artist, album } = last;
    return { title, artist: artist ?? undefined, album: album ?? undefined };
  }
}

function nothingUnlessWrong(error: unknown): undefined {
  if (!(error instanceof Fault)) throw error;
}
