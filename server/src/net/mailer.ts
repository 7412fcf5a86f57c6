import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { withDeadline } from '../lib/deadlines/deadline.ts';
import { Refusal } from '../lib/fault.ts';
import { errorFields, type Log } from '../lib/log.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** Secrets in the text, masked in the log because a mail server may quote a rejected mail. */
  secrets?: readonly string[];
}

/** Writes a mail when its turn comes; undefined when there is no recipient. */
export type MailWriter = () => Promise<Mail | undefined>;

export interface MailerOptions {
  /** `smtps://user:password@mail.example:465` */
  url: string;
  from: string;
  log: Log;
  /** Timeout for a silent mail server, and for sending one mail. */
  silenceMs?: number;
  mailMs?: number;
  /** How long a shutdown waits for queued mail. */
  drainMs?: number;
}

const QUEUE = 100;
const SILENCE_MS = 10_000;
const MAIL_MS = 30_000;
const RETRY_SECONDS = 300;
/** Together with the last calls still shorter than the forced stop. */
const DRAIN_MS = 8000;

/**
 * Sends mails one after the other in the background: no call waits for a mail server, so response times do not reveal
 * whether an account exists.
 */
export class Mailer implements Disposable, AsyncDisposable {
  readonly #options: MailerOptions;
  readonly #transport: ReturnType<typeof createTransport>;
  readonly #queue: MailWriter[] = [];
  #sending: Promise<void> | undefined;

  constructor(options: MailerOptions) {
    const { url, silenceMs = SILENCE_MS } = options;
    this.#options = options;
    this.#transport = createTransport({
      url,
      connectionTimeout: silenceMs,
      greetingTimeout: silenceMs,
      socketTimeout: silenceMs,
      dnsTimeout: silenceMs,
      // Our mails contain only our own text and no attachments.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  add(write: MailWriter): void {
    if (this.#queue.length >= QUEUE)
      throw new Refusal(503, 'request.overloaded', 'The mail queue is full; try again later', RETRY_SECONDS);
    this.#push(write);
  }

  /** For optional mails: when the queue is full, the mail is dropped and logged. */
  addIfRoom(write: MailWriter): void {
    if (this.#queue.length < QUEUE) this.#push(write);
    else this.#options.log.warn('the mail queue is full, so a notification was dropped; check MAIL_URL');
  }

  #push(write: MailWriter): void {
    this.#queue.push(write);
    this.#sending ??= this.#sendAll();
  }

  /** Signs in at the mail server without sending anything; throws the server's error. */
  async verify(): Promise<void> {
    await this.#transport.verify();
  }

  async #sendAll(): Promise<void> {
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) await this.#send(next);
    this.#sending = undefined;
  }

  /** A mail that cannot be sent is logged, without its recipient. */
  async #send(write: MailWriter): Promise<void> {
    const { from, log, mailMs = MAIL_MS } = this.#options;
    let hidden: readonly string[] = [];
    try {
      const mail = await write();
      if (!mail) return;
      const { to, subject, text, secrets = [] } = mail;
      hidden = [to, ...secrets];
      const late = (): Error => new Error(`it took longer than ${mailMs} ms`);
      await withDeadline(this.#transport.sendMail({ from, to, subject, text }), mailMs, late);
    } catch (error) {
      log.warn(
        { err: errorFields(error, hidden) },
        'a mail could not be sent; check MAIL_URL and the mail server',
      );
    }
  }

  /** Sends queued mails first: their callers were told that a mail is on its way. */
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
        { mails: this.#queue.length + 1 },
        'stopped before all mail was sent; the recipients can request it again. Check MAIL_URL and the mail server',
      );
    this[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.#queue.length = 0;
    this.#transport.close();
  }
}
