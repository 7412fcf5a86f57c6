import cluster, { type Worker } from 'node:cluster';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import type { Log } from '../../../lib/log.ts';
import type { AdmissionLimits } from '../admission.ts';
import type { RelayMessage } from './messages.ts';
import { PlaceBook } from './place-book.ts';
import { ReportBook } from './report-book.ts';

/**
 * The first process of a relay: it holds the ports and keeps a process at work in each of so many places. On SIGHUP it starts
 * another in one place after the other, with the program as it is on disk then; as soon as that is ready, the old one gives its
 * listeners to it, connection by connection, and ends. Nobody is hung up on:
 *
 *   start -> ready -> (SIGHUP) -> another starts -> ready -> the old one hands over -> ends -> the next place
 *
 * A process that dies is replaced; radios call again, and those of other places hear on. One that cannot start ends the relay,
 * unless another is at work.
 */

export interface SupervisorOptions {
  /** Processes at work at a time. */
  workers: number;
  /** Over all of them. */
  limits: AdmissionLimits;
  log: Log;
}

/** One that dies over and over is not started as fast as it dies. */
const RESTART_MS = 1000;

export function superviseRelay(options: SupervisorOptions): void {
  const supervisor = new Supervisor(options);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => supervisor.stop(signal));
  process.on('SIGHUP', () => supervisor.renew());
  supervisor.start();
}

/** A process is told which place it has, and of how many, by an argument that `ps` shows. */
export const writePlace = (place: number, of: number): string => `${place + 1}/${of}`;

/** Undefined for what is no place. */
export function parsePlace(text: string): { place: number; of: number } | undefined {
  const [, place, of] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  return place !== undefined && of !== undefined && place >= 1 && place <= of
    ? { place: place - 1, of }
    : undefined;
}

/** Where one process is at work. */
interface WorkPlace {
  number: number;
  current: Worker | undefined;
  /** The one that starts. */
  next: Worker | undefined;
  /** The one that gives its listeners away. */
  leaving: Worker | undefined;
}

class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #places: readonly WorkPlace[];
  readonly #book: PlaceBook<Worker>;
  readonly #reports = new ReportBook<Worker>();
  /** Whose turn to be renewed is still to come. */
  #toRenew: WorkPlace[] = [];
  #isStopping = false;
  /** On their way to a process, and kept open until it has taken them: it may die before, and Node forgets them then. */
  readonly #underWay = new Map<Worker, Map<number, Socket>>();
  #passed = 0;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#book = new PlaceBook(options.limits);
    this.#places = Array.from({ length: options.workers }, (_none, number) => ({
      number,
      current: undefined,
      next: undefined,
      leaving: undefined,
    }));
  }

  start(): void {
    for (const place of this.#places) this.#start(place);
  }

  renew(): void {
    if (this.#isStopping || this.#toRenew.length > 0 || this.#places.some(({ next }) => next)) return;
    this.#options.log.info('another process starts, and takes the listeners over');
    this.#toRenew = [...this.#places];
    this.#renewNext();
  }

  stop(signal: NodeJS.Signals): void {
    this.#isStopping = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal);
  }

  #start(place: WorkPlace): void {
    if (this.#isStopping) return;
    const args = [...process.argv.slice(2), writePlace(place.number, this.#places.length)];
    cluster.setupPrimary({ args });
    const worker = cluster.fork();
    place.next = worker;
    worker.on('message', (message, socket) =>
      // oxlint-disable-next-line no-unsafe-type-assertion -- from our own process
      this.#hear(place, worker, message as RelayMessage, socket as Socket | undefined),
    );
    worker.once('exit', (code: number | null, signal: NodeJS.Signals | null) =>
      this.#exited(place, worker, { code, signal }),
    );
  }

  #renewNext(): void {
    const place = this.#toRenew.shift();
    // One that died meanwhile is being replaced already.
    if (place?.current) this.#start(place);
    else if (place) this.#renewNext();
  }

  #hear(place: WorkPlace, worker: Worker, message: RelayMessage, socket: Socket | undefined): void {
    if (message.relay === 'ready') this.#begin(place, worker);
    else if (message.relay === 'take')
      tell(worker, { relay: 'place', ask: message.ask, answer: this.#book.take(worker, message.claim) });
    else if (message.relay === 'leave') this.#book.leave(worker, message.place);
    else if (message.relay === 'listener' && socket) this.#pass(place, worker, message, socket);
    else if (message.relay === 'call' && socket)
      this.#pass(this.#places[message.owner] ?? place, worker, message, socket);
    else if (message.relay === 'taken') {
      // Only this process lets go of it: the radio sees nothing of that.
      this.#underWay.get(worker)?.get(message.number)?.destroy();
      this.#underWay.get(worker)?.delete(message.number);
    } else if (message.relay === 'reported') this.#reports.hear(worker, message.report, message.round);
    else if (message.relay === 'gather') void this.#gather(worker, message.ask);
  }

  #begin(place: WorkPlace, worker: Worker): void {
    const before = place.current;
    place.current = worker;
    place.next = undefined;
    if (before?.isConnected()) {
      place.leaving = before;
      tell(before, { relay: 'hand over' });
    } else this.#renewNext();
  }

  async #gather(worker: Worker, ask: number): Promise<void> {
    const all = Object.values(cluster.workers ?? {}).filter((one) => one?.isConnected() === true);
    const reports = await this.#reports.gather(
      all.flatMap((one) => one ?? []),
      (one, round) => tell(one, { relay: 'report', round }),
    );
    tell(worker, { relay: 'gathered', ask, reports });
  }

  /**
   * To the process in that place, or to any other while there is none. Who is to take a connection may die before it has:
   * then the radio is hung up on, and calls again.
   */
  #pass(
    { current }: WorkPlace,
    from: Worker,
    message: Extract<RelayMessage, { relay: 'listener' | 'call' }>,
    socket: Socket,
  ): void {
    const worker = isThere(current) ? current : this.#places.find((place) => isThere(place.current))?.current;
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
      this.#book.leave(worker, held);
    });
  }

  #exited(
    place: WorkPlace,
    worker: Worker,
    end: { code: number | null; signal: NodeJS.Signals | null },
  ): void {
    const { log } = this.#options;
    for (const socket of this.#underWay.get(worker)?.values() ?? []) socket.destroy();
    this.#underWay.delete(worker);
    this.#book.forget(worker);
    this.#reports.forget(worker);
    if (this.#isStopping) {
      if (Object.values(cluster.workers ?? {}).length === 0) process.exit(end.code ?? 0);
    } else if (worker === place.current) {
      place.current = undefined;
      log.error(end, 'a process at work ended; another starts, and its radios call again');
      if (!place.next) setTimeout(() => this.#start(place), RESTART_MS);
    } else if (worker === place.next) this.#failedToStart(place, end);
    else if (worker === place.leaving) {
      place.leaving = undefined;
      this.#renewNext();
    }
  }

  /** What keeps it from starting it has said itself, and it would keep the others from it too. */
  #failedToStart(place: WorkPlace, end: { code: number | null; signal: NodeJS.Signals | null }): void {
    place.next = undefined;
    this.#toRenew = [];
    if (!this.#places.some(({ current }) => current))
      process.exit(end.code ?? 128 + (end.signal ? constants.signals[end.signal] : 0));
    this.#options.log.error(end, 'another process could not start; those at work go on');
    if (!place.current) setTimeout(() => this.#start(place), RESTART_MS);
  }
}

const isThere = (worker: Worker | undefined): boolean => worker?.isConnected() === true;

const tell = (worker: Worker, message: RelayMessage): void => {
  if (worker.isConnected()) worker.send(message, () => undefined);
};
