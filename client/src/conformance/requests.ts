import { Asker, Unreachable } from './ask.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { documentOf, jsonOf, pathOf, successOf, type Answer, type JsonAnswer } from './answer.ts';
import { expect, NotShown } from './expect.ts';
import { askRaw, type RawReply } from './raw-ask.ts';
import type { Asked, Reply } from './reply.ts';

export interface KitOptions {
  baseUrl: string;
  httpsBaseUrl?: string | undefined;
  partnerId?: string | undefined;
  username?: string | undefined;
  serial?: string | undefined;
  /** Also try what saves: a device and an account with names of their own are made for it. */
  write?: boolean | undefined;
  timeoutMs: number;
  maxRequests: number;
}

export interface Posting {
  /** Over plain HTTP, where a password must be refused. */
  isPlain?: boolean;
  /** Without the partner's name. */
  isAnonymous?: boolean;
}

const MAX_TRIES = 3;
const MAX_WAIT_SECONDS = 30;

export type Headers = Readonly<Record<string, string>>;

/** How a server is asked. Every request is made once, however many checks want its answer. */
export class Requests {
  readonly options: KitOptions;
  readonly #asker: Asker;
  readonly #replies = new Map<string, Promise<Reply>>();
  #requests = 0;

  constructor(options: KitOptions) {
    this.options = options;
    this.#asker = new Asker(options.timeoutMs);
  }

  get requests(): number {
    return this.#requests;
  }

  /** The answer to a path, as it comes. */
  get(path: string, headers: Headers = {}): Promise<Reply> {
    return this.#fetch(this.options.baseUrl + path, headers);
  }

  /** The same over HTTPS, where the operator said at which address. */
  getSecurely(path: string): Promise<Reply> {
    const { httpsBaseUrl } = this.options;
    if (httpsBaseUrl === undefined) throw new NotShown('give --https-base-url to have HTTPS tried');
    return this.#fetch(httpsBaseUrl + path, {});
  }

  /** The answer to a path as it is now: for what an earlier call may have changed. */
  async fresh(path: string): Promise<Answer> {
    const url = this.options.baseUrl + this.withPartner(path);
    return documentOf(await this.#askPatiently({ url, headers: {} }));
  }

  /** The answer to a form, by default over HTTPS and with the partner's name. */
  async post(path: string, params: Readonly<Record<string, string>>, how: Posting = {}): Promise<Answer> {
    const { httpsBaseUrl, baseUrl, partnerId = '' } = this.options;
    const origin = how.isPlain ? baseUrl : httpsBaseUrl;
    if (origin === undefined) throw new NotShown('give --https-base-url to have accounts tried');
    const form = new URLSearchParams({ ...(how.isAnonymous ? {} : { partnerId }), ...params }).toString();
    const reply = await this.#askPatiently({ url: origin + path, headers: {}, form });
    if (reply.status === 429)
      throw new NotShown('the server wants no more of these for now; try again in an hour');
    return documentOf(reply);
  }

  /** A path with the partner's name, which some servers want in every call. */
  call(path: string, headers: Headers = {}): Promise<Reply> {
    return this.get(this.withPartner(path), headers);
  }

  /** An OPML document of any status. */
  async answer(path: string, headers: Headers = {}): Promise<Answer> {
    return documentOf(await this.call(path, headers));
  }

  /** An OPML document of status 200. */
  async success(path: string, headers: Headers = {}): Promise<Answer> {
    return successOf(await this.answer(path, headers));
  }

  /** An OPML document that refuses, and says why. */
  async fault(path: string): Promise<Answer> {
    const answer = await this.answer(path);
    const { status, fault } = answer.document;
    expect(answer.reply, status !== '200', 'a status other than 200', `status ${status}`);
    expect(answer.reply, (fault ?? '') !== '', 'a <fault> that says what was wrong', 'none');
    return answer;
  }

  /** The menu behind a link of the server. Only this server is asked, wherever the link leads. */
  async follow(link: string): Promise<Answer> {
    return successOf(documentOf(await this.get(pathOf(link))));
  }

  async json(path: string): Promise<JsonAnswer> {
    return jsonOf(await this.call(`${path}${path.includes('?') ? '&' : '?'}render=json`));
  }

  /** Bytes as an old radio writes them. */
  async raw(bytes: string): Promise<RawReply> {
    this.#count();
    const { baseUrl, timeoutMs } = this.options;
    try {
      return await askRaw(new URL(baseUrl), bytes, timeoutMs);
    } catch (error) {
      throw new Unreachable(`${baseUrl} gave no answer: ${String(error)}`, { url: baseUrl, headers: {} });
    }
  }

  withPartner(path: string): string {
    const { partnerId } = this.options;
    if (partnerId === undefined) return path;
    return `${path}${path.includes('?') ? '&' : '?'}partnerId=${encodeURIComponent(partnerId)}`;
  }

  close(): void {
    this.#asker.close();
  }

  #fetch(url: string, headers: Headers): Promise<Reply> {
    const key = JSON.stringify([url, headers]);
    let reply = this.#replies.get(key);
    if (!reply) {
      this.#replies.set(key, (reply = this.#askPatiently({ url, headers })));
    }
    return reply;
  }

  /** A server may say that it is asked too much; then it is asked again when it says, a few times. */
  async #askPatiently(asked: Asked): Promise<Reply> {
    for (let tries = 0; ; tries += 1) {
      this.#count();
      const reply = await this.#asker.get(asked);
      const wait = Number(reply.headers['retry-after']);
      const isAskedToWait = (reply.status === 429 || reply.status === 503) && wait > 0;
      if (!isAskedToWait || tries === MAX_TRIES || wait > MAX_WAIT_SECONDS) return reply;
      await sleep(wait * 1000);
    }
  }

  #count(): void {
    if (this.#requests >= this.options.maxRequests)
      throw new NotShown(`the kit stops after ${this.options.maxRequests} requests`);
    this.#requests += 1;
  }
}
