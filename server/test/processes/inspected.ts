import { once } from 'node:events';
import type { ServiceProcess } from './service-process.ts';

/** For the environment of a service that is to be looked into; the port is told in its output. */
export const INSPECTABLE = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

const ANSWER_MS = 60_000;

/** What a process holds after everything that nobody needs is gone. */
export interface Held {
  heapBytes: number;
  /** Sockets, timers and the like that are open, by their kind. */
  resources: Record<string, number>;
}

/** A look into a process that runs, by the engine's own debugger. */
export class Inspected implements Disposable {
  readonly #socket: WebSocket;
  #id = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  static async open({ log }: ServiceProcess): Promise<Inspected> {
    const address = /Debugger listening on (ws:\S+)/.exec(log.join('\n'))?.[1];
    if (address === undefined) throw new Error('the process was not started to be looked into');
    const socket = new WebSocket(address);
    await once(socket, 'open');
    return new Inspected(socket);
  }

  async held(): Promise<Held> {
    await this.#ask('HeapProfiler.collectGarbage');
    await this.#ask('HeapProfiler.collectGarbage');
    const text = await this.evaluate(
      'JSON.stringify({ heapBytes: process.memoryUsage().heapUsed, resources: process.getActiveResourcesInfo() })',
    );
    const { heapBytes, resources }: { heapBytes: number; resources: string[] } = JSON.parse(text);
    const byKind = Object.groupBy(resources, (kind) => kind);
    return {
      heapBytes,
      resources: Object.fromEntries(Object.entries(byKind).map(([kind, all]) => [kind, all?.length ?? 0])),
    };
  }

  async evaluate(expression: string): Promise<string> {
    const answer = await this.#ask('Runtime.evaluate', { expression, returnByValue: true });
    return String(answer.result?.value);
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }

  async #ask(method: string, params: object = {}): Promise<{ result?: { value?: unknown } }> {
    const id = (this.#id += 1);
    const { promise, resolve, reject } = Promise.withResolvers<{ result?: { value?: unknown } }>();
    const limit = setTimeout(() => reject(new Error(`${method} was not answered`)), ANSWER_MS);
    const hear = ({ data }: MessageEvent): void => {
      const said: { id?: number; result?: { result?: { value?: unknown } } } = JSON.parse(String(data));
      if (said.id === id) resolve(said.result ?? {});
    };
    this.#socket.addEventListener('message', hear);
    this.#socket.send(JSON.stringify({ id, method, params }));
    try {
      return await promise;
    } finally {
      clearTimeout(limit);
      this.#socket.removeEventListener('message', hear);
    }
  }
}
