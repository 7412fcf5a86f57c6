import type { Pool } from 'pg';
import type { Reading } from '../intake/feeds/reading.ts';
import { saveReadings } from '../intake/feeds/save-feed.ts';
import { Gather } from '../jobs/gather.ts';
import type { Clock } from '../lib/clock.ts';

interface ReadFeed {
  showId: number;
  reading: Reading;
}

/** Feeds of one transaction: enough to share its trips, few enough that none waits long for another's thousands. */
const MOST = 25;

/** Saves readings together that come together. */
export class FeedSaver {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #saving: Gather<ReadFeed, PromiseSettledResult<unknown>>;

  constructor({ pool, clock }: { pool: Pool; clock: Clock }) {
    this.#pool = pool;
    this.#clock = clock;
    this.#saving = new Gather((feeds) => this.#saveEach(feeds), MOST);
  }

  async save(showId: number, reading: Reading): Promise<void> {
    const saved = await this.#saving.add({ showId, reading });
    if (saved.status === 'rejected') throw saved.reason;
  }

  /** What cannot be written must not keep the others from being written: a batch that fails is saved one by one. */
  async #saveEach(feeds: readonly ReadFeed[]): Promise<PromiseSettledResult<unknown>[]> {
    const [together] = await Promise.allSettled([this.#saveAll(feeds)]);
    if (together.status === 'fulfilled' || feeds.length === 1) return feeds.map(() => together);
    const alone: PromiseSettledResult<unknown>[] = [];
    for (const feed of feeds) alone.push(...(await Promise.allSettled([this.#saveAll([feed])])));
    return alone;
  }

  async #saveAll(feeds: readonly ReadFeed[]): Promise<unknown> {
    const readings = new Map(feeds.map(({ showId, reading }) => [showId, reading]));
    return saveReadings(this.#pool, readings, this.#clock.now());
  }
}
