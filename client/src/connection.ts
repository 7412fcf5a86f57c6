import type { DirectoryAnswer } from './answer.ts';
import { type CallerOptions, type DirectoryOptions, type Params, callParams, callUrl } from './call-url.ts';
import { DirectoryFault, NoAnswer } from './faults.ts';
import { readJson } from './read-json.ts';
import { readXml } from './read-xml.ts';
import { readText } from './read-text.ts';

export interface ClientOptions extends DirectoryOptions {
  /** The HTTPS address of the same directory, for what carries a password; `baseUrl` where that is HTTPS already. */
  secureBaseUrl?: string | undefined;
  password?: string | undefined;
  /** How long an answer may take; 10 seconds when it is not said. */
  deadlineMs?: number | undefined;
  /** The rendering to ask for; both give the same values. */
  render?: 'json' | 'xml' | undefined;
  /** Sends passwords over plain HTTP; only for a server at home that is set to take them. */
  allowInsecure?: boolean | undefined;
  fetch?: typeof globalThis.fetch | undefined;
}

export interface CallOptions {
  /** Ends the call early, by the caller's wish. */
  signal?: AbortSignal | undefined;
}

const DEADLINE_MS = 10_000;

/** One directory, asked by one caller. */
export class Connection {
  readonly options: ClientOptions;

  constructor(options: ClientOptions) {
    this.options = options;
  }

  with(options: Partial<ClientOptions>): Connection {
    return new Connection({ ...this.options, ...options });
  }

  /** Whether a password can be sent so that nobody on the way reads it. */
  get isSecure(): boolean {
    const { baseUrl, secureBaseUrl = baseUrl } = this.options;
    return secureBaseUrl.startsWith('https:');
  }

  /** Asks in the address, as radios do. */
  ask(path: string, params: Params, call: CallOptions = {}): Promise<DirectoryAnswer> {
    return this.follow(callUrl(this.options, path, params), call);
  }

  /** Asks in a form over HTTPS, which neither proxies nor logs keep. Of the caller only what is named here is told. */
  async askSecretly(
    path: string,
    caller: CallerOptions,
    params: Params,
    call: CallOptions = {},
  ): Promise<DirectoryAnswer> {
    const { partnerId, locale, render = 'json' } = this.options;
    const url = new URL(this.#secureBaseUrl().replace(/\/+$/, '') + path);
    const body = callParams(
      { partnerId, locale, ...caller },
      render === 'json' ? { ...params, render } : params,
    );
    return this.#read(url, { method: 'POST', body }, call);
  }

  /** Asks in a form, for texts that are too long for an address; over HTTPS where the directory has it. */
  async submit(path: string, params: Params, call: CallOptions = {}): Promise<DirectoryAnswer> {
    const { baseUrl, secureBaseUrl = baseUrl, render = 'json' } = this.options;
    const url = new URL((this.isSecure ? secureBaseUrl : baseUrl).replace(/\/+$/, '') + path);
    const body = callParams(this.options, render === 'json' ? { ...params, render } : params);
    return this.#read(url, { method: 'POST', body }, call);
  }

  /** The menu at an address that the directory gave. */
  follow(address: URL | string, call: CallOptions = {}): Promise<DirectoryAnswer> {
    const url = new URL(address);
    if (this.options.render !== 'xml') url.searchParams.set('render', 'json');
    return this.#read(url, {}, call);
  }

  /** A body as it comes, for what is no menu. */
  async text(path: string, params: Params, call: CallOptions = {}): Promise<string> {
    const { text } = await this.#send(callUrl(this.options, path, params), {}, call);
    return text;
  }

  async #read(url: URL, init: RequestInit, call: CallOptions): Promise<DirectoryAnswer> {
    const { response, text } = await this.#send(url, init, call);
    const answer = understand(response, text);
    if (answer.status === 200) return answer;
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
    const fault = answer.fault ?? answer.title ?? `Status ${answer.status}`;
    throw new DirectoryFault(
      answer.status,
      answer.faultCode ?? '',
      fault,
      Number.isNaN(wait) ? undefined : wait,
    );
  }

  async #send(
    url: URL,
    init: RequestInit,
    { signal }: CallOptions,
  ): Promise<{ response: Response; text: string }> {
    const { deadlineMs = DEADLINE_MS, fetch = globalThis.fetch } = this.options;
    const deadline = AbortSignal.timeout(deadlineMs);
    const ending = signal ? AbortSignal.any([signal, deadline]) : deadline;
    try {
      // No credentials of the page: the protocol knows no cookie. A password is never sent on to another address.
      const response = await fetch(url, { ...init, signal: ending, credentials: 'omit', redirect: 'error' });
      return { response, text: await readText(response) };
    } catch (error) {
      signal?.throwIfAborted();
      const late = deadline.aborted ? `no answer within ${deadlineMs} ms` : 'no answer';
      throw new NoAnswer(
        `${url.origin}${url.pathname}: ${late}; is the directory up, and its address right?`,
        { cause: error },
      );
    }
  }

  #secureBaseUrl(): string {
    const { baseUrl, secureBaseUrl = baseUrl, allowInsecure = false } = this.options;
    if (allowInsecure || this.isSecure) return secureBaseUrl;
    throw new TypeError(
      'This call carries a password: set secureBaseUrl to the HTTPS address of the directory',
    );
  }
}

function understand(response: Response, text: string): DirectoryAnswer {
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
  try {
    return isJson ? readJson(text) : readXml(text);
  } catch (error) {
    throw new NoAnswer(`HTTP ${response.status}, and no answer of a directory; is its address right?`, {
      cause: error,
    });
  }
}
