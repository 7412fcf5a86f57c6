import type { StreamToRelay } from '../../storage/catalog/streams/relayed-stream.ts';

/** What is known of a stream is a minute old at most when it is asked for so often; the one after may be the first to see a change. */
const LOOK_EVERY_MS = 60_000;

export interface PermissionWatchOptions {
  findStream: (id: number) => Promise<StreamToRelay | undefined>;
  /** Those that are heard now. */
  listStreams: () => Iterable<number>;
  /** That station does not want to be relayed any more. */
  forbidden: (streamId: number) => void;
}

/** A station may say `never` while it is heard: whoever hears it then is let go within minutes, and not when it likes. */
export class PermissionWatch implements Disposable {
  readonly #options: PermissionWatchOptions;
  readonly #timer: NodeJS.Timeout;
  #isLooking = false;

  constructor(options: PermissionWatchOptions, everyMs = LOOK_EVERY_MS) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#look(), everyMs).unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  /** One after the other, so that the database has little to do at a time; while it is away, what was known counts. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { findStream, listStreams, forbidden } = this.#options;
    for (const id of new Set(listStreams())) {
      const stream = await findStream(id).catch(() => undefined);
      if (stream?.relay === 'never') forbidden(id);
    }
    this.#isLooking = false;
  }
}
