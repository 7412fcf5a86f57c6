import { azuracastSong } from '../formats/station-status/azuracast.ts';
import { icecastSong } from '../formats/station-status/icecast.ts';
import { shoutcastSong } from '../formats/station-status/shoutcast.ts';
import { FetchFailed } from '../lib/fetch-safely/fetch-failed.ts';
import type { SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import { UnsafeAddress } from '../lib/fetch-safely/unsafe-address.ts';
import type { Heard, HeardSong } from './heard.ts';
import type { KnownStream } from './known-streams.ts';
import { listen } from './listen.ts';
import { StatusDocuments } from './status-documents.ts';
import { type StatusWay, statusWay } from './way.ts';

/** Finds out what a stream plays, the cheapest way that is known to work. */
export class Hearing {
  readonly #fetcher: SafeFetcher;
  readonly #documents: StatusDocuments;

  constructor(fetcher: SafeFetcher, documents = new StatusDocuments(fetcher)) {
    this.#fetcher = fetcher;
    this.#documents = documents;
  }

  /** What it learns of the stream it writes into `known`. Throws as tuning in and fetching do. */
  async hear(stream: { address: string }, known: KnownStream, signal: AbortSignal): Promise<Heard | 'late'> {
    const { way } = known;
    if (way.kind === 'listen') return this.#listen(stream, known, signal);
    const song = await this.#lookUp(way, stream, known, signal);
    if (song) return song;
    const heard = await this.#listen(stream, known, signal);
    // The stream names no song either: a document without one was right.
    if (heard !== 'nothing') return heard;
    known.way = way;
    known.hasNoStatus = false;
    return heard;
  }

  /** One small document instead of sound; where it is of no use the stream is listened to from then on. */
  async #lookUp(
    way: StatusWay,
    { address }: { address: string },
    known: KnownStream,
    signal: AbortSignal,
  ): Promise<HeardSong | undefined> {
    known.way = { kind: 'listen', address };
    try {
      const text = await this.#documents.get(way, signal);
      const song = text === undefined ? undefined : songIn(way, text);
      if (song) known.way = way;
      else known.hasNoStatus = true;
      return song;
    } catch (error) {
      // One that only failed is looked at again after the stream was listened to.
      if (error instanceof FetchFailed) return undefined;
      if (!(error instanceof UnsafeAddress)) {
        // Its host was asked too much: to listen instead, to all streams of the document, would be far more.
        known.way = way;
        throw error;
      }
      known.hasNoStatus = true;
      return undefined;
    }
  }

  async #listen(
    stream: { address: string },
    known: KnownStream,
    signal: AbortSignal,
  ): Promise<Heard | 'late'> {
    const { address } = known.way;
    // Where it led the last time may be over; if so it is gone to all the way again.
    known.way = { kind: 'listen', address: stream.address };
    const listened = await listen(this.#fetcher, address, signal);
    const isNamed = typeof listened.heard === 'object';
    const status = isNamed && !known.hasNoStatus ? statusWay(listened.address, listened.headers) : undefined;
    known.way = status ?? { kind: 'listen', address: listened.address };
    return listened.heard;
  }
}

function songIn({ source, mount }: StatusWay, text: string): HeardSong | undefined {
  const song =
    source === 'azuracast'
      ? azuracastSong(text)
      : source === 'icecast'
        ? icecastSong(text, mount)
        : shoutcastSong(text);
  if (!song) return undefined;
  const { startedAtMs, endsAtMs, ...named } = song;
  return { ...named, source, startedAt: startedAtMs, endsAt: endsAtMs };
}
