import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSecondsOf } from '../load/wrk.ts';

/** As `wrk` has them in the other benches. */
const CONNECTIONS = 32;
const HEAD_END = '\r\n\r\n';
/** What a server does after its last answer, and until the kernel has counted it. */
const REST_MS = 2;

/**
 * Calls one server in turns of a few hundred answers. A turn takes some milliseconds: on a busy machine many of them are not
 * interrupted, where seconds always are, so that the least of many is what the work itself costs.
 */
export class Caller implements Disposable {
  readonly #pid: number;
  readonly #port: number;
  readonly #requests: readonly Buffer[];
  readonly #sockets = new Set<Socket>();
  #asked = 0;
  #left = 0;
  #waiting = 0;
  #done: () => void = () => undefined;
  #failed: (error: unknown) => void = () => undefined;

  constructor(server: { pid: number; port: number }, paths: readonly string[]) {
    this.#pid = server.pid;
    this.#port = server.port;
    this.#requests = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`));
  }

  /** The CPU that the server takes for one of so many answers, in µs. */
  async turn(answers: number): Promise<number> {
    const before = cpuSecondsOf([this.#pid]);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#done = resolve;
    this.#failed = reject;
    this.#left = answers;
    this.#waiting = answers;
    while (this.#sockets.size < CONNECTIONS) this.#open();
    for (const socket of this.#sockets) this.#ask(socket);
    await promise;
    await sleep(REST_MS);
    return ((cpuSecondsOf([this.#pid]) - before) / answers) * 1e6;
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #ask(socket: Socket): void {
    if (this.#left === 0) return;
    this.#left -= 1;
    socket.write(this.#requests[this.#asked++ % this.#requests.length]!);
  }

  #open(): Socket {
    const socket = connect(this.#port, '127.0.0.1').setNoDelay();
    let missing = 0;
    socket.on('data', (bytes: Buffer) => {
      if (missing === 0) missing = lengthOf(bytes);
      missing -= bytes.length;
      if (missing > 0) return;
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#done();
      else this.#ask(socket);
    });
    // A server closes a connection after a thousand calls.
    socket.on('close', () => {
      this.#sockets.delete(socket);
      if (this.#left > 0) this.#ask(this.#open());
    });
    socket.on('error', (error) => this.#failed(error));
    this.#sockets.add(socket);
    return socket;
  }
}

/** What other work takes of a machine makes a turn dearer, and none cheaper; a tenth are let off as luck. */
const LUCKY = 1 / 10;

/** What a turn costs where the machine has little else to do. */
export const undisturbed = (turns: readonly number[]): number =>
  turns.toSorted((a, b) => a - b)[Math.floor(turns.length * LUCKY)] ?? Number.NaN;

/** Of an answer whose head has come as a whole. */
function lengthOf(bytes: Buffer): number {
  const end = bytes.indexOf(HEAD_END);
  const head = bytes.toString('latin1', 0, end);
  const length = /\r\nContent-Length: (\d+)/i.exec(head)?.[1];
  if (end === -1 || length === undefined || !head.startsWith('HTTP/1.1 200'))
    throw new Error(`not an answer: ${head.slice(0, 200)}`);
  return end + HEAD_END.length + Number(length);
}
