import { decodeText } from '../../formats/decode-text.ts';
import type { Head } from '../../formats/icy/head-reader.ts';
import type { FailureCode } from '../../lib/failure-code.ts';
import type { SafeFetcher } from '../fetch/fetch-safely.ts';
import type { Deadline } from '../fetch/deadline.ts';
import { Cookies } from '../fetch/cookies.ts';
import type { CheckedAddress } from '../fetch/policy.ts';
import { StreamReader } from './stream-reader.ts';
import { Journal, TuneInFailed } from './tune-in-failed.ts';

/** A response; the body arrives as it is read. */
export class Answered implements Disposable {
  readonly address: string;
  readonly head: Head;
  readonly reader: StreamReader;

  constructor(address: string, head: Head, reader: StreamReader) {
    this.address = address;
    this.head = head;
    this.reader = reader;
  }

  [Symbol.dispose](): void {
    this.reader[Symbol.dispose]();
  }
}

/** The path to one stream: the remaining limits, and a journal. */
export class Route {
  readonly journal = new Journal();
  readonly deadline: Deadline;
  /** For a response, and for the first audio. */
  readonly maxWaitMs: number;
  /** Aborts reading the body after tuning in has finished. */
  readonly outer: AbortSignal | undefined;
  readonly cookies = new Cookies();
  readonly #fetcher: SafeFetcher;
  readonly #headers: string;
  #connections = 0;

  constructor(fetcher: SafeFetcher, deadline: Deadline, options: TuneInOptions & { deadlineMs: number }) {
    this.#fetcher = fetcher;
    this.deadline = deadline;
    this.outer = options.signal;
    this.maxWaitMs = options.deadlineMs * TUNING.deadline;
    const headers = [`User-Agent: ${options.userAgent ?? fetcher.userAgent}`, 'Accept: */*'];
    if (options.wantsTitles !== false) headers.push('Icy-MetaData: 1');
    this.#headers = [...headers, ...(options.headers ?? []), 'Connection: close'].join('\r\n');
  }

  /** Sends a request over a connection that the fetcher checked. */
  async ask(address: string): Promise<Answered> {
    this.#connections += 1;
    if (this.#connections > TUNING.connections)
      throw this.#dead('too_many_playlists', 'too many connections without reaching any audio');
    const reader = new StreamReader();
    try {
      const { socket, to } = await this.#fetcher.open(address, this.deadline, reader.take);
      reader.attach(socket);
      this.journal.note('connect', address, to.isSecure ? 'connected, with TLS' : 'connected');
      socket.write(this.#question(to), 'latin1');
      await reader.untilHead(this.deadline, this.maxWaitMs);
      const { head } = reader;
      if (!head) throw this.#dead('cut_off', 'it closed the connection without a response');
      this.cookies.keep(to.host, head.headers.get('set-cookie')?.split('\n') ?? []);
      return new Answered(address, head, reader);
    } catch (error) {
      reader[Symbol.dispose]();
      throw error;
    }
  }

  /** Waits for the start of a body, unless it has already arrived. */
  untilBegun({ reader }: Answered, enough: number): Promise<void> | undefined {
    return reader.untilBody(this.deadline, this.maxWaitMs, enough);
  }

  /** The start of a body; invalid once the answer is disposed of. */
  async begins(answered: Answered, enough: number): Promise<Buffer> {
    await this.untilBegun(answered, enough);
    return answered.reader.body.subarray(0, enough);
  }

  /** The whole body, or what has arrived when the time is over, for servers that never end it. */
  async whole({ reader }: Answered, most: number): Promise<Buffer> {
    await reader.untilBody(this.deadline, this.maxWaitMs, most)?.catch((error: unknown) => {
      if (reader.body.length === 0) throw error;
    });
    return reader.body.subarray(0, most);
  }

  async wholeText(answered: Answered, most: number): Promise<string> {
    return decodeText(await this.whole(answered, most));
  }

  #question({ url, host }: CheckedAddress): string {
    const cookie = this.cookies.valueFor(host);
    const headers = `${cookie === undefined ? '' : `Cookie: ${cookie}\r\n`}${this.#headers}`;
    return `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n${headers}\r\n\r\n`;
  }

  #dead(code: FailureCode, detail: string): TuneInFailed {
    return new TuneInFailed('dead', detail, { code, steps: this.journal.steps });
  }
}

export interface TuneInOptions {
  /** For everything until the first audio. */
  deadlineMs?: number;
  /** Also ends the listening. */
  signal?: AbortSignal | undefined;
  userAgent?: string | undefined;
  /** Further lines of the request, such as `Via: 1.0 longwave`. */
  headers?: readonly string[];
  /** Whether to request ICY titles; true by default. */
  wantsTitles?: boolean;
}

/** Limits for tuning in to a stream; `docs/tuning-in.md` lists the same. */
export const TUNING = {
  deadlineMs: 15_000,
  /** The part of the deadline that one server may take: for its response, and for the first audio. */
  deadline: 1 / 3,
  redirects: 5,
  /** Nested playlists. */
  playlists: 3,
  /** Players try the next entry of a playlist when one is dead, but few try many. */
  addressesTried: 3,
  playlistBytes: 64 * 1024,
  hlsBytes: 2 ** 20,
  /** In total. */
  connections: 20,
};
