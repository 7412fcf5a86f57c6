import { Gather } from '../jobs/gather.ts';
import type { Log } from '../lib/log.ts';
import { type Song, type SongKeeper, type StationSong, isSameSong } from '../playing/song.ts';
import { type PlayingStore, StoreAway, type Told } from '../playing/store.ts';

export interface TellingNeeds {
  store: PlayingStore;
  log: Log;
  keep?: SongKeeper | undefined;
}

/** Tells what was learnt, many at a time: to the store all of it, to whoever writes songs down the new ones. */
export class Telling {
  readonly #log: Log;
  readonly #tells: Gather<Told, true>;
  readonly #keeps: Gather<StationSong, true> | undefined;
  #isKeeping = true;

  constructor({ store, log, keep }: TellingNeeds) {
    this.#log = log;
    this.#tells = new Gather(async (told) => {
      await store.tell(told).catch(unlessAway);
      return told.map(() => true);
    });
    this.#keeps = keep && new Gather((songs) => this.#keep(songs, keep));
  }

  async tell(told: Told, before: Song | undefined): Promise<void> {
    const { stationId, heard } = told;
    const isNew = typeof heard === 'object' && !isSameSong(heard, before);
    await Promise.all([this.#tells.add(told), isNew && this.#keeps?.add({ stationId, song: heard })]);
  }

  /** What cannot be written down is lost, and told to listeners all the same; loud once. */
  async #keep(songs: readonly StationSong[], keep: SongKeeper): Promise<true[]> {
    try {
      await keep(songs);
      this.#isKeeping = true;
    } catch (err) {
      if (this.#isKeeping) this.#log.warn({ err }, 'songs could not be written down; what plays now is told');
      this.#isKeeping = false;
    }
    return songs.map(() => true as const);
  }
}

/** It says so itself. What was learnt is learnt again when it is back. */
function unlessAway(error: unknown): void {
  if (!(error instanceof StoreAway)) throw error;
}
