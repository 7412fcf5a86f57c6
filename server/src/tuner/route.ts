import { decodeText } from '../formats/decode-text.ts';
import { type Head, HeadReader } from '../formats/icy/head-reader.ts';
import type { FailureCode } from '../lib/failure-code.ts';
import type { CheckedAddress } from '../lib/fetch-safely/check-address.ts';
import type { SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import { Body } from './body.ts';
import { TUNING } from './limits.ts';
import { Journal } from './step.ts';
import { TuneInFailed } from './tune-in-failed.ts';
import type { TuneInOptions } from './tuned-in.ts';
import { Wire } from './wire.ts';

/** Somebody answered; the body comes when it is read. */
export interface Answered extends Disposable {
  address: string;
  head: Head;
  body: Body;
  wire: Wire;
}

/** The way to one stream: what it may still take, and what was done. */
export class Route {
  readonly journal = new Journal();
  readonly signal: AbortSignal;
  /** For an answer, and for the first sound. */
  readonly patienceMs: number;
  /** What goes on to end a body when the way is done. */
  readonly outer: AbortSignal | undefined;
  readonly #fetcher: SafeFetcher;
  readonly #headers: string;
  #connections = 0;

  constructor(fetcher: SafeFetcher, signal: AbortSignal, options: TuneInOptions & { deadlineMs: number }) {
    this.#fetcher = fetcher;
    this.signal = signal;
    this.outer = options.signal;
    this.patienceMs = options.deadlineMs * TUNING.patience;
    this.#headers = [
      `User-Agent: ${options.userAgent ?? fetcher.userAgent}`,
      'Accept: */*',
      ...(options.wantsTitles === false ? [] : ['Icy-MetaData: 1']),
      'Connection: close',
    ].join('\r\n');
  }

  /** Asks one server, over a connection that the fetcher checked. */
  async ask(address: string): Promise<Answered> {
    this.#connections += 1;
    if (this.#connections > TUNING.connections)
      throw this.#dead('too_many_playlists', 'the way to the sound does not end');
    const wire = new Wire();
    const { socket, to } = await this.#fetcher.open(address, { signal: this.signal, take: wire.take });
    wire.attach(socket, this.signal);
    try {
      const head = await this.#question(wire, address, to);
      return {
        address,
        head,
        wire,
        body: new Body(wire, head),
        [Symbol.dispose]: () => wire[Symbol.dispose](),
      };
    } catch (error) {
      wire[Symbol.dispose]();
      throw error;
    }
  }

  /** What a body begins with, which stays to be read. */
  async begins({ body, wire }: Answered, enough: number): Promise<Buffer> {
    const first = await wire.within('body', this.patienceMs, () => body.take(enough));
    body.unread(first);
    return first.subarray(0, enough);
  }

  /** All of a body that is text. A server that does not end it has said enough when its time is over. */
  async wholeText({ body, wire }: Answered, most: number): Promise<string> {
    const pieces: Buffer[] = [];
    let length = 0;
    const read = async (): Promise<void> => {
      for await (const piece of body) {
        pieces.push(piece);
        length += piece.length;
        if (length >= most) break;
      }
    };
    await wire.within('body', this.patienceMs, read).catch((error: unknown) => {
      if (length === 0) throw error;
    });
    return decodeText(Buffer.concat(pieces).subarray(0, most));
  }

  async #question(wire: Wire, address: string, { url, isSecure }: CheckedAddress): Promise<Head> {
    this.journal.note('connect', address, isSecure ? 'connected, with TLS' : 'connected');
    wire.send(`GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n${this.#headers}\r\n\r\n`);
    const head = await wire.within('answer', this.patienceMs, () => readHead(wire));
    if (!head) throw this.#dead('cut_off', 'it closed the connection without an answer');
    return head;
  }

  #dead(code: FailureCode, detail: string): TuneInFailed {
    return new TuneInFailed('dead', detail, { code, steps: this.journal.steps });
  }
}

/** Undefined where the connection ends before it. */
async function readHead(wire: Wire): Promise<Head | undefined> {
  const reader = new HeadReader();
  for (;;) {
    const piece = await wire.next();
    if (piece === undefined) return undefined;
    const head = reader.push(piece);
    if (head) return head;
  }
}
