import cluster, { type Worker } from 'node:cluster';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import type { RelayedStream } from '../../core/streams/relay/relay-address.ts';
import type { Log } from '../../lib/log.ts';

/**
 * The first process of a relay: it holds the ports and keeps one process at work. On SIGHUP it starts another, with the
 * program as it is on disk then; as soon as that is ready, the old one gives its listeners to it, connection by connection,
 * and ends. Nobody is hung up on:
 *
 *   start -> ready -> (SIGHUP) -> another starts -> ready -> the old one hands over -> ends
 *
 * A process that dies is replaced; radios call again. One that cannot start ends the relay, unless another is at work.
 */

/** From the supervisor to a process, and back. */
export type RelayMessage =
  | { relay: 'ready' }
  | { relay: 'hand over' }
  /** With a connection; numbered on its way to the process that is to take it. */
  | { relay: 'listener'; listener: HandedListener; number?: number }
  | { relay: 'taken'; number: number };

/** A listener in the middle of the sound, between two frames, and with titles between two units. */
export interface HandedListener {
  streamId: number;
  who: string;
  peer: string;
  /** Set for one who is not at home: whose radio it is. */
  partner?: string | undefined;
  /** What the device calls itself. */
  agent?: string | undefined;
  variant: RelayedStream['variant'];
  wantsTitles: boolean;
}

/** One that dies over and over is not started as fast as it dies. */
const RESTART_MS = 1000;

export function superviseRelay(log: Log): void {
  const supervisor = new Supervisor(log);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => supervisor.stop(signal));
  process.on('SIGHUP', () => supervisor.renew());
  supervisor.start();
}

class Supervisor {
  readonly #log: Log;
  /** The one at work. */
  #current: Worker | undefined;
  /** The one that starts. */
  #next: Worker | undefined;
  #isStopping = false;
  /** On their way to a process, and kept open until it has taken them: it may die before, and Node forgets them then. */
  readonly #underWay = new Map<Worker, Map<number, Socket>>();
  #passed = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  start(): void {
    const worker = cluster.fork();
    this.#next = worker;
    // oxlint-disable-next-line no-unsafe-type-assertion -- from our own process
    worker.on('message', (message, socket) => this.#hear(worker, message as RelayMessage, socket as Socket));
    worker.once('exit', (code: number | null, signal: NodeJS.Signals | null) =>
      this.#exited(worker, code, signal),
    );
  }

  renew(): void {
    if (this.#next || this.#isStopping) return;
    this.#log.info('another process starts, and takes the listeners over');
    this.start();
  }

  stop(signal: NodeJS.Signals): void {
    this.#isStopping = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal);
  }

  #hear(worker: Worker, message: RelayMessage, socket: Socket | undefined): void {
    if (message.relay === 'ready') {
      const before = this.#current;
      this.#current = worker;
      this.#next = undefined;
      if (before?.isConnected()) before.send({ relay: 'hand over' } satisfies RelayMessage, () => undefined);
    } else if (message.relay === 'listener' && socket) {
      socket.on('error', () => undefined);
      this.#pass(message.listener, socket);
    } else if (message.relay === 'taken') {
      // Only this process lets go of it: the radio sees nothing of that.
      this.#underWay.get(worker)?.get(message.number)?.destroy();
      this.#underWay.get(worker)?.delete(message.number);
    }
  }

  /** Who is to take a listener may have died, or die before: then the radio is hung up on, and calls again. */
  #pass(listener: HandedListener, socket: Socket): void {
    const worker = this.#current;
    if (!worker?.isConnected()) return void socket.destroy();
    const number = (this.#passed += 1);
    this.#underWay.getOrInsertComputed(worker, () => new Map()).set(number, socket);
    const message: RelayMessage = { relay: 'listener', listener, number };
    worker.send(message, socket, { keepOpen: true }, (error) => {
      if (error) socket.destroy();
    });
  }

  #exited(worker: Worker, code: number | null, signal: NodeJS.Signals | null): void {
    for (const socket of this.#underWay.get(worker)?.values() ?? []) socket.destroy();
    this.#underWay.delete(worker);
    if (this.#isStopping) {
      if (Object.values(cluster.workers ?? {}).length === 0) process.exit(code ?? 0);
    } else if (worker === this.#current) {
      this.#current = undefined;
      this.#log.error({ code, signal }, 'the process at work ended; another starts, and radios call again');
      setTimeout(() => this.start(), RESTART_MS);
    } else if (worker === this.#next) {
      this.#next = undefined;
      // What keeps it from starting it has said itself.
      if (!this.#current) process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0));
      this.#log.error({ code, signal }, 'another process could not start; the one at work goes on');
    }
  }
}
