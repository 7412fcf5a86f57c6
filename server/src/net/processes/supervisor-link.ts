import type { Socket } from 'node:net';
import type { Metrics, MetricsPage, MetricsReport } from '../http/metrics.ts';
import { isProcessMessage, type ProcessMessage } from './messages.ts';

/** What a process at work is asked by the first one. */
export interface WorkerDuties {
  /** Another has taken its place. */
  leave(): void;
  report(): Promise<MetricsReport>;
  /** What only its command says, perhaps with a connection. */
  hear?(message: unknown, socket: Socket | undefined): void;
}

/** What processes of one machine tell each other. */
export type Siblings = Pick<SupervisorLink, 'tell' | 'onTold'>;

/** A process at work, as it speaks with the first one. */
export class SupervisorLink implements Disposable {
  readonly #asked = new Map<number, (answer: unknown) => void>();
  readonly #told = new Map<string, (what: unknown) => void>();
  #duties: WorkerDuties | undefined;
  #asks = 0;

  readonly #listener = (message: unknown, socket: unknown): void => {
    // oxlint-disable-next-line no-unsafe-type-assertion -- no other handle is ever sent
    void this.#hear(message, socket as Socket | undefined);
  };

  constructor() {
    process.on('message', this.#listener);
  }

  /** Who listens is kept alive by that, also one that could not start. */
  [Symbol.dispose](): void {
    process.off('message', this.#listener);
    process.channel?.unref();
  }

  /** It is ready, and from now on does what it is asked. */
  begin(duties: WorkerDuties): void {
    this.#duties = duties;
    void this.send({ process: 'ready' });
  }

  /** What the first process answers; it is never answered once that has ended, and then neither is anybody here. */
  ask(about: string, what?: unknown): Promise<unknown> {
    return this.#ask((ask) => ({ process: 'ask', ask, about, what }));
  }

  /** The first process, which may pass it on to all others. */
  tell(about: string, what?: unknown): void {
    void this.send({ process: 'tell', about, what });
  }

  /** One listener for each kind. */
  onTold(about: string, listener: (what: unknown) => void): void {
    this.#told.set(about, listener);
  }

  /** The metrics of all processes on one page, whichever of them is asked. */
  metricsOfAll(metrics: Metrics): MetricsPage {
    const { contentType } = metrics;
    const text = async (): Promise<string> => {
      const reports = await this.#ask((ask) => ({ process: 'gather', ask }));
      // oxlint-disable-next-line no-unsafe-type-assertion -- the answer to this very question
      return metrics.textOf(reports as MetricsReport[]);
    };
    return { contentType, text };
  }

  /** What it has counted up to its end. */
  async lastReport(report: MetricsReport): Promise<void> {
    await this.send({ process: 'reported', report });
  }

  /** A connection is closed here as soon as it is there. */
  async send(message: object, socket?: Socket): Promise<void> {
    await new Promise<void>((done) => process.send?.(message, socket, {}, () => done()) ?? done());
  }

  async #hear(message: unknown, socket: Socket | undefined): Promise<void> {
    if (!isProcessMessage(message)) this.#duties?.hear?.(message, socket);
    else if (message.process === 'answer') {
      this.#asked.get(message.ask)?.(message.answer);
      this.#asked.delete(message.ask);
    } else if (message.process === 'tell') this.#told.get(message.about)?.(message.what);
    else if (message.process === 'leave') this.#duties?.leave();
    else if (message.process === 'look') void this.send({ process: 'working' } satisfies ProcessMessage);
    else if (message.process === 'report')
      void this.send({
        process: 'reported',
        round: message.round,
        report: (await this.#duties?.report()) ?? [],
      } satisfies ProcessMessage);
  }

  #ask(question: (ask: number) => ProcessMessage): Promise<unknown> {
    const ask = (this.#asks += 1);
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#asked.set(ask, resolve);
    void this.send(question(ask));
    return promise;
  }
}
