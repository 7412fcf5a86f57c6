import type { RelayedStream } from '../../core/streams/relay/relay-address.ts';
import type { Log } from '../../lib/log.ts';
import type { StreamFormat } from '../../lib/stream-format.ts';
import type { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import type { StreamToRelay } from '../../storage/catalog/streams/relayed-stream.ts';
import type { Place, Places } from './admission.ts';
import { introduce, type ListenerName, SHARED_INTRODUCTION } from './upstream/introduction.ts';
import { RelayRefusal } from './relay-answer.ts';
import type { RelayMetrics } from './relay-metrics.ts';
import { Transmission } from './transmission.ts';

type Variant = RelayedStream['variant'];

export interface TransmissionsOptions {
  fetcher: SafeFetcher;
  /** Whether those who hear the same stream share one connection to the station, where it says nothing about it. */
  isShared: boolean;
  metrics: RelayMetrics;
  log: Log;
}

/**
 * What can be heard from any frame on; HLS is sent on as one of the others. Ogg, Opus, FLAC and WAV say once, at the start of a
 * connection, how they are to be read, and of a stream that nobody has looked at yet nobody knows.
 */
const JOINABLE: ReadonlySet<string> = new Set(['mp3', 'aac', 'hls'] satisfies StreamFormat[]);

/** All stations that are sent on at the moment. */
export class Transmissions {
  readonly #options: TransmissionsOptions;
  readonly #all = new Set<Transmission>();
  /** Those that may be joined, by stream and variant. */
  readonly #shared = new Map<string, Transmission>();
  readonly #places: Pick<Places, 'take'>;

  constructor(options: TransmissionsOptions, places: Pick<Places, 'take'>) {
    this.#options = options;
    this.#places = places;
  }

  get size(): number {
    return this.#all.size;
  }

  /** Whether those who hear it share a connection to the station. */
  isShared({ relay, format }: StreamToRelay, variant: Variant): boolean {
    if (variant === 'c' && !JOINABLE.has(format ?? '')) return false;
    return relay === null ? this.#options.isShared : relay === 'shared';
  }

  /** The one of a stream that runs already, where that may be shared, or another. */
  async of(
    stream: StreamToRelay,
    { variant, isBegun, ...listener }: ListenerName & { variant: Variant; isBegun: boolean },
  ): Promise<Transmission> {
    const running = this.#running(stream, variant);
    if (running) return running;
    if (variant === 'c') return this.#start(stream, { variant, listener, isBegun });
    const place = await this.#places.take({ converts: true, isBegun });
    const { refused } = place;
    if (refused) throw new RelayRefusal('503 Service Unavailable', refused.refusal, refused.text);
    // Somebody else may have begun with it meanwhile.
    const begun = this.#running(stream, variant);
    if (!begun) return this.#start(stream, { variant, listener, isBegun, place });
    place[Symbol.dispose]();
    return begun;
  }

  #running(stream: StreamToRelay, variant: Variant): Transmission | undefined {
    const running = this.isShared(stream, variant) ? this.#shared.get(keyOf(stream, variant)) : undefined;
    return running?.isStopped === false ? running : undefined;
  }

  #start(
    stream: StreamToRelay,
    {
      variant,
      listener,
      isBegun,
      place,
    }: { variant: Variant; listener: ListenerName; isBegun: boolean; place?: Place },
  ): Transmission {
    const { fetcher, metrics, log } = this.#options;
    const [isShared, isConverted] = [this.isShared(stream, variant), variant !== 'c'];
    const key = keyOf(stream, variant);
    const made = new Transmission({
      fetcher,
      address: stream.address,
      ...(isShared ? SHARED_INTRODUCTION : introduce(listener)),
      isShared,
      isConverted,
      wasHeard: isBegun,
      watch: {
        missed: () => metrics.missed(),
        lost: (reason) => {
          metrics.reconnected();
          log.info({ stream: stream.id, reason }, 'a station is lost, and called again');
        },
      },
    });
    if (isShared) this.#shared.set(key, made);
    void this.#run(made, key, place);
    return made;
  }

  listen(nowMs: number): void {
    for (const transmission of this.#all) transmission.listen(nowMs);
  }

  tick(nowMs: number): void {
    let received = 0;
    for (const transmission of this.#all) {
      transmission.tick(nowMs);
      received += transmission.takeReceived();
    }
    if (received > 0) this.#options.metrics.received(received);
  }

  stop(): void {
    for (const transmission of this.#all) transmission.stop();
  }

  async #run(transmission: Transmission, key: string, place: Place | undefined): Promise<void> {
    this.#all.add(transmission);
    await transmission.run().catch((error: unknown) => {
      this.#options.log.error({ err: error, stream: key }, 'a station could not be sent on');
    });
    place?.[Symbol.dispose]();
    this.#all.delete(transmission);
    if (this.#shared.get(key) === transmission) this.#shared.delete(key);
  }
}

const keyOf = ({ id }: StreamToRelay, variant: Variant): string => `${id} ${variant}`;
