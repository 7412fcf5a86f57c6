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
  | { relay: 'listener'; listener: HandedListener };

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
      if (before) send(before, { relay: 'hand over' }, () => undefined);
    } else if (message.relay === 'listener' && socket) {
      socket.on('error', () => undefined);
      // Who is to take it may have died meanwhile: then the radio is hung up on, and calls again.
      if (this.#current) send(this.#current, message, () => socket.destroy(), socket);
      else socket.destroy();
    }
  }

  #exited(worker: Worker, code: number | null, signal: NodeJS.Signals | null): void {
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

/** A process that has died and is not known to have must not end the first one too. */
function send(worker: Worker, message: RelayMessage, failed: () => void, socket?: Socket): void {
  if (!worker.isConnected()) return failed();
  worker.send(message, socket, (error) => {
    if (error) failed();
  });
}
