import type { Worker } from 'node:cluster';
import type { Socket } from 'node:net';
import type { Log } from '../../../lib/log.ts';
import { Supervisor } from '../../../net/processes/supervisor.ts';
import type { AdmissionLimits, PlaceClaim } from '../admission.ts';
import { ASK_PLACE, type RelayMessage } from './messages.ts';
import { PlaceBook } from './place-book.ts';

export interface RelaySupervisorOptions {
  /** Processes at work at a time. */
  workers: number;
  /** Over all of them. */
  limits: AdmissionLimits;
  log: Log;
}

/**
 * The first process of a relay. On SIGHUP another takes the place of each process at work, which gives its listeners to it,
 * connection by connection, so that nobody is hung up on. Where one dies, radios call again, and those of other processes hear on.
 */
export function superviseRelay({ workers, limits, log }: RelaySupervisorOptions): void {
  const book = new PlaceBook<Worker>(limits);
  const connections = new Connections(book, (place) => supervisor.workerFor(place));
  const supervisor = new Supervisor({
    processes: workers,
    log,
    words: {
      renewing: 'another process starts, and takes the listeners over',
      ended: 'a process at work ended; another starts, and its radios call again',
    },
    // oxlint-disable-next-line no-unsafe-type-assertion -- from our own process
    answers: { [ASK_PLACE]: (claim, worker) => book.take(worker, claim as PlaceClaim) },
    hear: (message, from, socket) =>
      // oxlint-disable-next-line no-unsafe-type-assertion -- from our own process
      connections.hear(message as RelayMessage, from, socket),
    forget: (worker) => connections.forget(worker),
  });
  process.on('SIGHUP', () => supervisor.renew());
  supervisor.start();
}

/** Connections that go from one process to another. */
class Connections {
  readonly #book: PlaceBook<Worker>;
  readonly #workerFor: (place: number) => Worker | undefined;
  /** On their way to a process, and kept open until it has taken them: it may die before, and Node forgets them then. */
  readonly #underWay = new Map<Worker, Map<number, Socket>>();
  #passed = 0;

  constructor(book: PlaceBook<Worker>, workerFor: (place: number) => Worker | undefined) {
    this.#book = book;
    this.#workerFor = workerFor;
  }

  hear(
    message: RelayMessage,
    { worker, place }: { worker: Worker; place: number },
    socket: Socket | undefined,
  ): void {
    if (message.relay === 'leave') this.#book.leave(worker, message.place);
    else if (message.relay === 'listener' && socket) this.#pass(place, worker, message, socket);
    else if (message.relay === 'call' && socket) this.#pass(message.owner, worker, message, socket);
    else if (message.relay === 'taken') {
      // Only this process lets go of it: the radio sees nothing of that.
      this.#underWay.get(worker)?.get(message.number)?.destroy();
      this.#underWay.get(worker)?.delete(message.number);
    }
  }

  forget(worker: Worker): void {
    for (const socket of this.#underWay.get(worker)?.values() ?? []) socket.destroy();
    this.#underWay.delete(worker);
    this.#book.forget(worker);
  }

  /** Who is to take a connection may die before it has: then the radio is hung up on, and calls again. */
  #pass(
    place: number,
    from: Worker,
    message: Extract<RelayMessage, { relay: 'listener' | 'call' }>,
    socket: Socket,
  ): void {
    const worker = this.#workerFor(place);
    const held = message.relay === 'listener' ? message.listener.place : undefined;
    socket.on('error', () => undefined);
    if (!worker) {
      this.#book.leave(from, held);
      return void socket.destroy();
    }
    const number = (this.#passed += 1);
    this.#book.move(from, worker, held);
    this.#underWay.getOrInsertComputed(worker, () => new Map()).set(number, socket);
    worker.send({ ...message, number } satisfies RelayMessage, socket, { keepOpen: true }, (error) => {
      if (!error) return;
      socket.destroy();
      this.#underWay.get(worker)?.delete(number);
      this.#book.leave(worker, held);
    });
  }
}
