import type { Socket } from 'node:net';
import type { Metrics, MetricsReport } from '../../../net/http/metrics.ts';
import type { PlaceClaim, Place, Places } from '../admission.ts';
import type { HandedListener, HandedCall, PlaceAnswer, RelayMessage } from './messages.ts';

/** What a process at work is asked by the first one. */
export interface WorkerDuties {
  handOver(): void;
  /** A listener of another process, in the middle of the sound. */
  adopt(listener: HandedListener, socket: Socket): void;
  /** A call that another process has read. */
  answer(call: HandedCall, socket: Socket): void;
  report(): Promise<MetricsReport>;
}

/** A process at work, as it speaks with the first one: about places, metrics and connections. */
export class SupervisorLink implements Places {
  readonly #asked = new Map<number, (answer: PlaceAnswer | MetricsReport[]) => void>();
  #asks = 0;

  /** From now on it does what it is asked. */
  begin(duties: WorkerDuties): void {
    process.on('message', (message, socket) => {
      // oxlint-disable-next-line no-unsafe-type-assertion -- from our own process
      void this.#hear(message as RelayMessage, socket as Socket | undefined, duties);
    });
    void this.#send({ relay: 'ready' });
  }

  async take(claim: PlaceClaim): Promise<Place> {
    const answer = await this.#ask<PlaceAnswer>((ask) => ({ relay: 'take', ask, claim }));
    return 'place' in answer
      ? this.#held(answer.place)
      : { refused: answer, [Symbol.dispose]: () => undefined };
  }

  /** It is in the first process's book already. */
  async adopt(number: number | undefined, claim: PlaceClaim): Promise<Place> {
    return number === undefined ? this.take(claim) : this.#held(number);
  }

  give(listener: HandedListener, socket: Socket): Promise<void> {
    return this.#send({ relay: 'listener', listener }, socket);
  }

  /** To the process in that place. */
  passOn(call: HandedCall, owner: number, socket: Socket): Promise<void> {
    return this.#send({ relay: 'call', call, owner }, socket);
  }

  /** The metrics of all processes on one page. */
  async metricsText(metrics: Metrics): Promise<string> {
    const reports = await this.#ask<MetricsReport[]>((ask) => ({ relay: 'gather', ask }));
    return metrics.textOf(reports);
  }

  /** What it has counted up to its end. */
  async lastReport(report: MetricsReport): Promise<void> {
    await this.#send({ relay: 'reported', report });
  }

  async #hear(message: RelayMessage, socket: Socket | undefined, duties: WorkerDuties): Promise<void> {
    if (message.relay === 'listener' || message.relay === 'call') {
      void this.#send({ relay: 'taken', number: message.number ?? 0 });
      if (message.relay === 'call' && socket) duties.answer(message.call, socket);
      if (message.relay === 'listener') this.#adopted(message.listener, socket, duties);
    } else if (message.relay === 'hand over') duties.handOver();
    else if (message.relay === 'report')
      void this.#send({ relay: 'reported', round: message.round, report: await duties.report() });
    else if (message.relay === 'place') this.#answered(message.ask, message.answer);
    else if (message.relay === 'gathered') this.#answered(message.ask, message.reports);
  }

  /** Whoever hung up on the way leaves its place. */
  #adopted(listener: HandedListener, socket: Socket | undefined, duties: WorkerDuties): void {
    if (socket) duties.adopt(listener, socket);
    else if (listener.place !== undefined) void this.#send({ relay: 'leave', place: listener.place });
  }

  #held(number: number): Place {
    let isHere = true;
    return {
      number,
      passOn: () => void (isHere = false),
      [Symbol.dispose]: () => {
        if (isHere) void this.#send({ relay: 'leave', place: number });
      },
    };
  }

  #ask<T extends PlaceAnswer | MetricsReport[]>(question: (ask: number) => RelayMessage): Promise<T> {
    const ask = (this.#asks += 1);
    const { promise, resolve } = Promise.withResolvers<T>();
    // oxlint-disable-next-line no-unsafe-type-assertion -- the answer to this very question
    this.#asked.set(ask, (answer) => resolve(answer as T));
    void this.#send(question(ask));
    return promise;
  }

  #answered(ask: number, answer: PlaceAnswer | MetricsReport[]): void {
    this.#asked.get(ask)?.(answer);
    this.#asked.delete(ask);
  }

  /** A connection is closed here as soon as it is there. */
  async #send(message: RelayMessage, socket?: Socket): Promise<void> {
    await new Promise<void>((done) => process.send?.(message, socket, {}, () => done()) ?? done());
  }
}
