import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { type Log, errorFields } from './log.ts';
import { Refusal } from './refusal.ts';

export interface Letter {
  to: string;
  subject: string;
  text: string;
  /** What in the text is for the reader's eyes alone; a mail server that refuses a letter may quote it. */
  secrets?: readonly string[];
}

/** Writes a letter when its turn comes; undefined when there is nobody to write to. */
export type LetterWriter = () => Promise<Letter | undefined>;

export interface PostOptions {
  /** `smtps://user:password@mail.example:465` */
  url: string;
  from: string;
  log: Log;
  /** How long a mail server may say nothing, and how long one letter may take. */
  silenceMs?: number;
  letterMs?: number;
  /** How long a stop waits for letters that were asked for and are not sent. */
  drainMs?: number;
}

const QUEUE = 100;
const SILENCE_MS = 10_000;
const LETTER_MS = 30_000;
const RETRY_SECONDS = 300;
/** With what the last calls take, still shorter than the time after which a stop is forced. */
const DRAIN_MS = 8000;

/**
 * Sends letters one after the other, behind the back of whoever asks: no call waits for a mail server, and none can tell
 * by the time it takes whether there was anybody to write to.
 */
export class Post implements Disposable, AsyncDisposable {
  readonly #options: PostOptions;
  readonly #transport: ReturnType<typeof createTransport>;
  readonly #queue: LetterWriter[] = [];
  #sending: Promise<void> | undefined;

  constructor(options: PostOptions) {
    const { url, silenceMs = SILENCE_MS } = options;
    this.#options = options;
    this.#transport = createTransport({
      url,
      connectionTimeout: silenceMs,
      greetingTimeout: silenceMs,
      socketTimeout: silenceMs,
      dnsTimeout: silenceMs,
      // A letter is text of our own; nothing in it is fetched from anywhere.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  add(write: LetterWriter): void {
    if (this.#queue.length >= QUEUE)
      throw new Refusal(
        503,
        'request.overloaded',
        'Too much mail is waiting; try again later',
        RETRY_SECONDS,
      );
    this.#push(write);
  }

  /** A letter that must hold up nothing: where there is no room for it, the operator is told and nobody else. */
  addIfRoom(write: LetterWriter): void {
    if (this.#queue.length < QUEUE) this.#push(write);
    else
      this.#options.log.warn('too much mail is waiting; a letter about a change was left out, see MAIL_URL');
  }

  #push(write: LetterWriter): void {
    this.#queue.push(write);
    this.#sending ??= this.#sendAll();
  }

  /** Signs in at the mail server and sends nothing; throws what it says to that. */
  async greet(): Promise<void> {
    await this.#transport.verify();
  }

  async #sendAll(): Promise<void> {
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) await this.#send(next);
    this.#sending = undefined;
  }

  /** A letter that cannot be sent is told to the operator, without whom it was for. */
  async #send(write: LetterWriter): Promise<void> {
    const { from, log, letterMs = LETTER_MS } = this.#options;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error(`it took longer than ${letterMs} ms`)), letterMs);
    let hidden: readonly string[] = [];
    try {
      const letter = await write();
      if (!letter) return;
      const { to, subject, text, secrets = [] } = letter;
      hidden = [to, ...secrets];
      await Promise.race([this.#transport.sendMail({ from, to, subject, text }), late.promise]);
    } catch (error) {
      log.warn(
        { err: errorFields(error, hidden) },
        'a letter could not be sent; see MAIL_URL and the mail server',
      );
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends what is waiting first: who asked for it was told that it comes. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { log, drainMs = DRAIN_MS } = this.#options;
    const drained = new AbortController();
    await Promise.race([
      this.#sending,
      sleep(drainMs, undefined, { signal: drained.signal }).catch(() => undefined),
    ]);
    drained.abort();
    if (this.#sending)
      log.warn(
        { letters: this.#queue.length + 1 },
        'stopped before all letters were sent; whom they were for can ask again. See MAIL_URL and the mail server',
      );
    this[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.#queue.length = 0;
    this.#transport.close();
  }
}
