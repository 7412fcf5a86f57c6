import { Counter } from 'prom-client';
import type { Metrics } from '../../net/http/metrics.ts';

/** What a relay counts, for `/metrics`. */
export class RelayMetrics {
  readonly #metrics: Metrics;
  readonly #bytes: Counter<'direction'>;
  readonly #refused: Counter<'why'>;
  readonly #closed: Counter<'why'>;
  readonly #reconnects: Counter;
  readonly #missed: Counter;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
    const registers = [metrics.registry];
    this.#bytes = new Counter({
      name: 'relay_bytes_total',
      help: 'Bytes received from stations and sent to listeners',
      labelNames: ['direction'],
      registers,
    });
    this.#refused = new Counter({
      name: 'relay_refused_total',
      help: 'Listeners that got no sound',
      labelNames: ['why'],
      registers,
    });
    this.#closed = new Counter({
      name: 'relay_closed_total',
      help: 'Listeners that had sound and have none any more',
      labelNames: ['why'],
      registers,
    });
    this.#reconnects = new Counter({
      name: 'relay_reconnects_total',
      help: 'Times that a station was lost, or could not be called again, while somebody listened',
      registers,
    });
    this.#missed = new Counter({
      name: 'relay_segments_missed_total',
      help: 'Segments of HLS that could not be had',
      registers,
    });
  }

  watch({ listeners, streams }: { listeners: () => number; streams: () => number }): void {
    this.#metrics.gauge('relay_listeners', 'Listeners that have sound now', listeners);
    this.#metrics.gauge('relay_streams', 'Connections to stations', streams);
  }

  received(bytes: number): void {
    this.#bytes.inc({ direction: 'in' }, bytes);
  }

  refused(why: string): void {
    this.#refused.inc({ why });
  }

  ended(why: string, bytesSent: number): void {
    this.#bytes.inc({ direction: 'out' }, bytesSent);
    this.#closed.inc({ why });
  }

  missed(): void {
    this.#missed.inc();
  }

  reconnected(): void {
    this.#reconnects.inc();
  }
}
