import { LRUCache } from 'lru-cache';
import { decodeText } from '../formats/decode-text.ts';
import type { SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import type { StatusWay } from './way.ts';

/** However many stations a server has, its document is fetched once in so long. */
const SHARED_MS = 5000;
/** A server of hundreds of stations writes half a megabyte. */
const LIMITS = {
  maxWireBytes: 2 ** 19,
  maxBytes: 2 ** 19,
  mostRedirects: 2,
  deadlineMs: 8000,
  firstByteMs: 5000,
};
/** To anything but a browser the oldest servers send their sound, whatever page it asks for. */
const AS_BROWSER = { 'user-agent': 'Mozilla/5.0 (compatible; longwave/0.1; radio directory)' };
const MOST_LETTERS = 2 ** 24;

/** Documents in which servers tell what plays on them, each fetched once for all who want it at the same time. */
export class StatusDocuments {
  readonly #fetcher: Pick<SafeFetcher, 'fetch'>;
  readonly #texts: LRUCache<string, { text: string | undefined }>;
  readonly #flights = new Map<string, Promise<string | undefined>>();

  constructor(fetcher: Pick<SafeFetcher, 'fetch'>, sharedMs = SHARED_MS) {
    this.#fetcher = fetcher;
    this.#texts = new LRUCache({
      ttl: sharedMs,
      maxSize: MOST_LETTERS,
      sizeCalculation: ({ text = '' }) => 100 + text.length,
    });
  }

  /** Nothing where the server has no such document; throws as a fetch does. */
  async get(way: StatusWay, signal: AbortSignal): Promise<string | undefined> {
    const known = this.#texts.get(way.address);
    return known ? known.text : await (this.#flights.get(way.address) ?? this.#begin(way, signal));
  }

  #begin(way: StatusWay, signal: AbortSignal): Promise<string | undefined> {
    const flight = this.#read(way, signal).finally(() => this.#flights.delete(way.address));
    this.#flights.set(way.address, flight);
    return flight;
  }

  async #read({ address, source }: StatusWay, signal: AbortSignal): Promise<string | undefined> {
    const headers = source === 'shoutcast' ? AS_BROWSER : {};
    const { status, body } = await this.#fetcher.fetch(address, { ...LIMITS, headers, signal });
    const text = status === 200 ? decodeText(body) : undefined;
    this.#texts.set(address, { text });
    return text;
  }
}
