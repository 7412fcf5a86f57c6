import { decodeText } from '../formats/decode-text.ts';
import type { Head } from '../formats/icy/head-reader.ts';
import type { FailureCode } from '../lib/failure-code.ts';
import type { CheckedAddress } from '../lib/fetch-safely/check-address.ts';
import type { SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import type { Patience } from '../lib/fetch-safely/patience.ts';
import { Inflow } from './inflow.ts';
import { TUNING } from './limits.ts';
import { Journal } from './step.ts';
import { TuneInFailed } from './tune-in-failed.ts';
import type { TuneInOptions } from './tune-in-options.ts';

/** Somebody answered; the body comes when it is read. */
export class Answered implements Disposable {
  readonly address: string;
  readonly head: Head;
  readonly inflow: Inflow;

  constructor(address: string, head: Head, inflow: Inflow) {
    this.address = address;
    this.head = head;
    this.inflow = inflow;
  }

  [Symbol.dispose](): void {
    this.inflow[Symbol.dispose]();
  }
}

/** The way to one stream: what it may still take, and what was done. */
export class Route {
  readonly journal = new Journal();
  readonly patience: Patience;
  /** For an answer, and for the first sound. */
  readonly patienceMs: number;
  /** What goes on to end a body when the way is done. */
  readonly outer: AbortSignal | undefined;
  readonly #fetcher: SafeFetcher;
  readonly #headers: string;
  #connections = 0;

  constructor(fetcher: SafeFetcher, patience: Patience, options: TuneInOptions & { deadlineMs: number }) {
    this.#fetcher = fetcher;
    this.patience = patience;
    this.outer = options.signal;
    this.patienceMs = options.deadlineMs * TUNING.patience;
    const titles = options.wantsTitles === false ? '' : 'Icy-MetaData: 1\r\n';
    this.#headers = `User-Agent: ${options.userAgent ?? fetcher.userAgent}\r\nAccept: */*\r\n${titles}Connection: close`;
  }

  /** Asks one server, over a connection that the fetcher checked. */
  async ask(address: string): Promise<Answered> {
    this.#connections += 1;
    if (this.#connections > TUNING.connections)
      throw this.#dead('too_many_playlists', 'the way to the sound does not end');
    const inflow = new Inflow();
    try {
      const { socket, to } = await this.#fetcher.open(address, this.patience, inflow.take);
      inflow.attach(socket);
      this.journal.note('connect', address, to.isSecure ? 'connected, with TLS' : 'connected');
      socket.write(this.#question(to), 'latin1');
      await inflow.untilHead(this.patience, this.patienceMs);
      const { head } = inflow;
      if (!head) throw this.#dead('cut_off', 'it closed the connection without an answer');
      return new Answered(address, head, inflow);
    } catch (error) {
      inflow[Symbol.dispose]();
      throw error;
    }
  }

  /** Waits for what a body begins with, where it is not there yet. */
  untilBegun({ inflow }: Answered, enough: number): Promise<void> | undefined {
    return inflow.untilBody(this.patience, this.patienceMs, enough);
  }

  /** What a body begins with; it is gone when the answer is disposed of. */
  async begins(answered: Answered, enough: number): Promise<Buffer> {
    await this.untilBegun(answered, enough);
    return answered.inflow.body.subarray(0, enough);
  }

  /** All of a body. A server that does not end it has said enough when its time is over. */
  async whole({ inflow }: Answered, most: number): Promise<Buffer> {
    await inflow.untilBody(this.patience, this.patienceMs, most)?.catch((error: unknown) => {
      if (inflow.body.length === 0) throw error;
    });
    return inflow.body.subarray(0, most);
  }

  async wholeText(answered: Answered, most: number): Promise<string> {
    return decodeText(await this.whole(answered, most));
  }

  #question({ url }: CheckedAddress): string {
    return `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n${this.#headers}\r\n\r\n`;
  }

  #dead(code: FailureCode, detail: string): TuneInFailed {
    return new TuneInFailed('dead', detail, { code, steps: this.journal.steps });
  }
}
