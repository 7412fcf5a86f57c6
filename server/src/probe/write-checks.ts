import type { Pool } from 'pg';
import { type StreamCheck, finishStreams } from '../catalog/stream-checks.ts';
import { Gather } from '../jobs/gather.ts';
import type { Log } from '../lib/log.ts';
import { guideId } from '../lib/guide-id.ts';

const MOST = 200;
/** Nobody waits for it but a place in hand, and a statement for a hundred costs little more than one for ten. */
const LINGER_MS = 50;
/** PostgreSQL's classes of errors that are the row's own fault: what it holds, and what it breaks. */
const OF_THE_ROW = /^2[23]/;

/** Writes checks together that come together; one that cannot be written keeps none of the others from it. */
export class CheckWriter {
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #writing = new Gather<StreamCheck, true>((checks) => this.#writeAll(checks), MOST, LINGER_MS);

  constructor(pool: Pool, log: Log) {
    this.#pool = pool;
    this.#log = log;
  }

  write(check: StreamCheck): Promise<true> {
    return this.#writing.add(check);
  }

  async #writeAll(checks: readonly StreamCheck[]): Promise<true[]> {
    try {
      await finishStreams(this.#pool, checks);
    } catch (error) {
      if (!isOfTheRow(error)) throw error;
      if (checks.length > 1) for (const check of checks) await this.#writeAll([check]);
      else
        this.#log.error(
          { err: error, id: nameOf(checks[0]) },
          'a check does not fit its row; it is left out',
        );
    }
    return checks.map(() => true);
  }
}

const nameOf = (check: StreamCheck | undefined): string => guideId('e', check?.due.stream_id ?? 0);

const isOfTheRow = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && OF_THE_ROW.test(String(error.code));
