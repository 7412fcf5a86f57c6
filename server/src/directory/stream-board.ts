import type { DirectoryStream } from './snapshot.ts';

/** More than any directory has streams that change between two swaps; what is beyond waits for the next swap. */
const MOST_NEWS = 200_000;

/**
 * What was found out about streams since the directory was read: it is read whole only now and then, but a stream that
 * fell silent should not be given out first for that long.
 */
export class StreamBoard {
  readonly #news = new Map<number, { stream: DirectoryStream; learntMs: number }>();

  /** The stream as it is known now. */
  told(stream: DirectoryStream): DirectoryStream {
    return this.#news.get(stream.id)?.stream ?? stream;
  }

  learn(stream: DirectoryStream, nowMs: number): void {
    if (this.#news.size < MOST_NEWS || this.#news.has(stream.id))
      this.#news.set(stream.id, { stream, learntMs: nowMs });
  }

  /** Forgets what a directory read since then holds itself. */
  forgetBefore(timeMs: number): void {
    for (const [id, { learntMs }] of this.#news) if (learntMs < timeMs) this.#news.delete(id);
  }

  get size(): number {
    return this.#news.size;
  }
}
