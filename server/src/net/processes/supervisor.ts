import cluster, { type Worker } from 'node:cluster';
import inspector from 'node:inspector';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import type { Log } from '../../lib/log.ts';
import { isProcessMessage, type ProcessMessage } from './messages.ts';
import { writePlace } from './place.ts';
import { ReportBook } from './report-book.ts';
import { StandstillWatch } from './standstill-watch.ts';

/**
 * The first process of a command that works in several: it holds the ports and keeps a process at work in each of so many
 * places. To renew them it starts another in one place after the other, with the program as it is on disk then; as soon as that
 * is ready, the old one is told to leave, and ends:
 *
 *   start -> ready -> (renew) -> another starts -> ready -> the old one leaves -> ends -> the next place
 *
 * A process that dies is replaced, and one that stands still for a minute is ended. One that cannot start ends the command,
 * unless another is at work.
 */

export interface SupervisorOptions {
  /** Processes at work at a time. */
  processes: number;
  log: Log;
  /** Each begins to start when the one before is ready, so that their first work is not done at the same time. */
  startsInTurn?: boolean;
  /**
   * Whichever process is free takes a connection from the common port by itself. Otherwise the first process takes all of them
   * and deals them out evenly: for connections that stay for hours, since it costs each of them more than a call does.
   */
  acceptThemselves?: boolean;
  /** How often they are asked whether they are at work; 10 s if not given. */
  lookEveryMs?: number;
  words: {
    /** What happens when they are renewed. */
    renewing: string;
    /** What follows when one has died. */
    ended: string;
  };
  /** Over all of them; without an entry for what is asked, nobody answers. */
  answers?: Readonly<Record<string, (what: unknown, from: Worker) => unknown>>;
  /** What is told by one, and what only this command says, perhaps with a connection. */
  hear?: (message: unknown, from: { worker: Worker; place: number }, socket: Socket | undefined) => void;
  /** A process has ended. */
  forget?: (worker: Worker) => void;
}

/** Pauses before the same place is tried again; one that was at work for a minute begins anew. */
const RESTART_MS = [1000, 2000, 4000, 8000];
/** One that dies over and over is not worth the work of its start; what keeps it from working may end, though. */
const GIVEN_UP_MS = 300_000;
const AT_WORK_MS = 60_000;

const LOOK_EVERY_MS = 10_000;

/** Where one process is at work. */
interface WorkPlace {
  number: number;
  current: Worker | undefined;
  /** The one that starts. */
  next: Worker | undefined;
  /** The one that another has replaced. */
  leaving: Worker | undefined;
  readyAtMs: number;
  /** How often it has ended in a row. */
  ends: number;
  again: NodeJS.Timeout | undefined;
}

interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #places: readonly WorkPlace[];
  readonly #reports = new ReportBook<Worker>();
  readonly #watch = new StandstillWatch<Worker>();
  /** Whose turn to be started is still to come. */
  #toStart: WorkPlace[] = [];
  /** They were to be renewed while some were being started, perhaps with what was on disk before. */
  #isRenewalDue = false;
  readonly #toHangUp = new WeakSet<Worker>();
  #isStopping = false;
  /** The worst of those that have ended since the stop began. */
  #exitCode = 0;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#places = Array.from({ length: options.processes }, (_none, number) => ({
      number,
      current: undefined,
      next: undefined,
      leaving: undefined,
      readyAtMs: 0,
      ends: 0,
      again: undefined,
    }));
  }

  /** And stops on SIGTERM and SIGINT, which every process gets. */
  start(): void {
    if (this.#options.acceptThemselves === true) cluster.schedulingPolicy = cluster.SCHED_NONE;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.#stop(signal));
    // Under a debugger it is meant to stand still.
    if (inspector.url() === undefined)
      setInterval(() => this.#endStandstills(), this.#options.lookEveryMs ?? LOOK_EVERY_MS).unref();
    if (this.#options.startsInTurn === true) {
      this.#toStart = [...this.#places];
      this.#startNext();
    } else for (const place of this.#places) this.#start(place);
  }

  /** One after the other; once more from the beginning where some are being started already. */
  renew(): void {
    if (this.#isStopping) return;
    this.#isRenewalDue = this.#toStart.length > 0 || this.#places.some(({ next }) => next);
    if (this.#isRenewalDue) return;
    this.#options.log.info(this.#options.words.renewing);
    this.#toStart = [...this.#places];
    this.#startNext();
  }

  /** SIGHUP to every process, also to one that leaves; one that still starts would end by it, and gets it when it is ready. */
  hangUp(): void {
    const starting = new Set(this.#places.map(({ next }) => next));
    for (const worker of everyWorker()) {
      if (starting.has(worker)) this.#toHangUp.add(worker);
      else worker.process.kill('SIGHUP');
    }
  }

  /** The process in that place, or any other while there is none. */
  workerFor(place: number): Worker | undefined {
    const { current } = this.#places[place] ?? {};
    return isConnected(current) ? current : this.#places.find((one) => isConnected(one.current))?.current;
  }

  /** To all but one. */
  tellOthers(about: string, what: unknown, but?: Worker): void {
    for (const worker of everyWorker()) if (worker !== but) tell(worker, { process: 'tell', about, what });
  }

  #endStandstills(): void {
    const atWork = this.#places.flatMap(({ current, leaving }) => [current, leaving]).filter(isConnected);
    for (const worker of this.#watch.look(atWork, (one) => tell(one, { process: 'look' }))) {
      const { pid } = worker.process;
      this.#options.log.error(
        { pid },
        'a process has not answered for a minute: it stands still, and is ended',
      );
      worker.process.kill('SIGKILL');
    }
  }

  #stop(signal: NodeJS.Signals): void {
    this.#isStopping = true;
    for (const { again } of this.#places) clearTimeout(again);
    for (const worker of everyWorker()) worker.process.kill(signal);
    if (everyWorker().length === 0) process.exit(0);
  }

  #start(place: WorkPlace): void {
    if (this.#isStopping) return;
    clearTimeout(place.again);
    const args = [...process.argv.slice(2), writePlace(place.number, this.#places.length)];
    cluster.setupPrimary({ args });
    const worker = this.#fork();
    if (!worker) {
      this.#failedToStart(place, { code: 1, signal: null });
      return;
    }
    place.next = worker;
    let hasEnded = false;
    const end = (how: End): void => {
      if (!hasEnded) this.#exited(place, worker, how);
      hasEnded = true;
    };
    // One that was never there tells it here alone, and whom nobody listens to ends this process, and all others with it.
    worker.on('error', (err) => {
      this.#options.log.error({ err }, 'a process could not be started or spoken with');
      if (!isProcess(worker)) end({ code: 1, signal: null });
    });
    worker.on('message', (message: unknown, socket) =>
      // oxlint-disable-next-line no-unsafe-type-assertion -- no other handle is ever sent
      this.#hear(place, worker, message, socket as Socket | undefined),
    );
    worker.once('exit', (code: number | null, signal: NodeJS.Signals | null) => end({ code, signal }));
  }

  /** Undefined where the system has no room for another one. */
  #fork(): Worker | undefined {
    try {
      return cluster.fork();
    } catch (err) {
      this.#options.log.error({ err }, 'a process could not be started');
      return undefined;
    }
  }

  #startNext(): void {
    const place = this.#toStart.shift();
    // One that is starting already needs no other.
    if (place?.next) this.#startNext();
    else if (place) this.#start(place);
    else if (this.#isRenewalDue) this.renew();
  }

  #hear(place: WorkPlace, worker: Worker, message: unknown, socket: Socket | undefined): void {
    if (!isProcessMessage(message) || message.process === 'tell')
      this.#options.hear?.(message, { worker, place: place.number }, socket);
    else if (message.process === 'ready') this.#begin(place, worker);
    else if (message.process === 'working') this.#watch.hear(worker);
    else if (message.process === 'ask') void this.#answer(worker, message);
    else if (message.process === 'reported') this.#reports.hear(worker, message.report, message.round);
    else if (message.process === 'gather') void this.#gather(worker, message.ask);
  }

  #begin(place: WorkPlace, worker: Worker): void {
    const before = place.current;
    place.current = worker;
    place.next = undefined;
    place.readyAtMs = performance.now();
    if (this.#toHangUp.delete(worker)) worker.process.kill('SIGHUP');
    if (before?.isConnected()) {
      place.leaving = before;
      tell(before, { process: 'leave' });
    } else this.#startNext();
  }

  async #answer(
    worker: Worker,
    { ask, about, what }: Extract<ProcessMessage, { process: 'ask' }>,
  ): Promise<void> {
    const answer = await this.#options.answers?.[about]?.(what, worker);
    tell(worker, { process: 'answer', ask, answer });
  }

  async #gather(worker: Worker, ask: number): Promise<void> {
    const all = everyWorker().filter(isConnected);
    const answer = await this.#reports.gather(all, (one, round) => tell(one, { process: 'report', round }));
    tell(worker, { process: 'answer', ask, answer });
  }

  #exited(place: WorkPlace, worker: Worker, end: End): void {
    this.#options.forget?.(worker);
    this.#reports.forget(worker);
    this.#watch.forget(worker);
    if (this.#isStopping) {
      // One that was still starting ends by the signal itself.
      this.#exitCode = Math.max(this.#exitCode, end.code ?? 0);
      if (everyWorker().length === 0) process.exit(this.#exitCode);
    } else if (worker === place.current) {
      place.current = undefined;
      if (performance.now() - place.readyAtMs > AT_WORK_MS) place.ends = 0;
      this.#options.log.error(this.#named(place, end), this.#options.words.ended);
      if (!place.next) this.#startAgain(place);
    } else if (worker === place.next) this.#failedToStart(place, end);
    else if (worker === place.leaving) {
      place.leaving = undefined;
      this.#startNext();
    }
  }

  /** What keeps it from starting it has said itself, and it would keep the others from it too. */
  #failedToStart(place: WorkPlace, end: End): void {
    place.next = undefined;
    this.#toStart = this.#toStart.filter(({ current }) => !current);
    if (!this.#places.some(({ current, next }) => current ?? next)) process.exit(codeOf(end));
    this.#options.log.error(this.#named(place, end), 'another process could not start; those at work go on');
    if (!place.current) this.#startAgain(place);
    this.#startNext();
  }

  #startAgain(place: WorkPlace): void {
    const pauseMs = RESTART_MS[place.ends];
    place.ends += 1;
    if (pauseMs === undefined)
      this.#options.log.error(
        { process: writePlace(place.number, this.#places.length), times: place.ends },
        'this process ended again and again and is given up: it is tried every five minutes only; the lines above say why it ended',
      );
    place.again = setTimeout(() => {
      if (!place.next && !place.current) this.#start(place);
    }, pauseMs ?? GIVEN_UP_MS);
  }

  #named({ number }: WorkPlace, end: End): End & { process: string } {
    return { process: writePlace(number, this.#places.length), ...end };
  }
}

/** Not so where the system has refused to start it: then it has no end either. */
const isProcess = ({ process: { pid } }: Worker): boolean => pid !== undefined;

const everyWorker = (): Worker[] =>
  Object.values(cluster.workers ?? {}).flatMap((worker) => (worker && isProcess(worker) ? [worker] : []));

const isConnected = (worker: Worker | undefined): worker is Worker => worker?.isConnected() === true;

const codeOf = ({ code, signal }: End): number => code ?? 128 + (signal ? constants.signals[signal] : 0);

const tell = (worker: Worker, message: ProcessMessage): void => {
  if (worker.isConnected()) worker.send(message, () => undefined);
};
