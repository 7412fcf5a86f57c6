import type { RelayedStream } from '../../core/streams/relay/relay-address.ts';
import type { Log } from '../../lib/log.ts';
import type { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import type { StreamToRelay } from '../../storage/catalog/streams/relayed-stream.ts';
import { introduce, type ListenerName, SHARED_INTRODUCTION } from './introduction.ts';
import { RelayRefusal } from './relay-answer.ts';
import type { RelayMetrics } from './relay-metrics.ts';
import { Transmission } from './transmission.ts';

export interface TransmissionsOptions {
  fetcher: SafeFetcher;
  /** Stations that are converted to MP3 at a time. */
  conversions: number;
  /** Whether those who hear the same stream share one connection to the station, where it says nothing about it. */
  isShared: boolean;
  metrics: RelayMetrics;
  log: Log;
}

/** All stations that are sent on at the moment. */
export class Transmissions {
  readonly #options: TransmissionsOptions;
  readonly #running = new Set<Transmission>();
  /** Those that may be joined, by stream and variant. */
  readonly #shared = new Map<string, Transmission>();
  #converted = 0;

  constructor(options: TransmissionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#running.size;
  }

  /** The one of a stream that runs already, where that may be shared, or another. */
  of(stream: StreamToRelay, variant: RelayedStream['variant'], listener: ListenerName): Transmission {
    const { fetcher, metrics, log } = this.#options;
    const isShared = stream.relay === null ? this.#options.isShared : stream.relay === 'shared';
    const key = `${stream.id} ${variant}`;
    const running = this.#shared.get(key);
    if (isShared && running && !running.isStopped) return running;
    const isConverted = variant !== 'c';
    if (isConverted) this.#refuseTooManyConversions();
    const made = new Transmission({
      fetcher,
      address: stream.address,
      ...(isShared ? SHARED_INTRODUCTION : introduce(listener)),
      isShared,
      isConverted,
      watch: {
        missed: () => metrics.missed(),
        lost: (reason) => {
          metrics.reconnected();
          log.info({ stream: stream.id, reason }, 'a station is lost, and called again');
        },
      },
    });
    if (isShared) this.#shared.set(key, made);
    void this.#run(made, key, isConverted);
    return made;
  }

  tick(nowMs: number): void {
    let received = 0;
    for (const transmission of this.#running) {
      transmission.tick(nowMs);
      received += transmission.takeReceived();
    }
    if (received > 0) this.#options.metrics.received(received);
  }

  stop(): void {
    for (const transmission of this.#running) transmission.stop();
  }

  async #run(transmission: Transmission, key: string, isConverted: boolean): Promise<void> {
    this.#running.add(transmission);
    this.#converted += Number(isConverted);
    await transmission.run().catch((error: unknown) => {
      this.#options.log.error({ err: error, stream: key }, 'a station could not be sent on');
    });
    this.#converted -= Number(isConverted);
    this.#running.delete(transmission);
    if (this.#shared.get(key) === transmission) this.#shared.delete(key);
  }

  #refuseTooManyConversions(): void {
    if (this.#converted < this.#options.conversions) return;
    throw new RelayRefusal(
      '503 Service Unavailable',
      'conversions',
      'the relay converts as many stations as it may already; see RELAY_CONVERSIONS',
    );
  }
}
