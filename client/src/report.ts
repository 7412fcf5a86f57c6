import type { Params } from './call-url.ts';
import type { CallOptions, Connection } from './connection.ts';
import type { Menu } from './outline.ts';

/** A stream by its address, by its station, or better by both. */
export interface StreamReport {
  id?: string;
  url?: string;
  /** What the player calls it; a number. */
  error?: number;
  message?: string;
}

export interface Feedback {
  id: string;
  text: string;
  /** Only to resolve the issue. */
  email?: string;
}

/** Report: what fails, what plays, and what else there is to say. */
export class ReportCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** That a stream failed; without an error and a message, that it plays. */
  async stream({ id, url, error, message }: StreamReport, call?: CallOptions): Promise<void> {
    await this.#say({ c: 'stream', id, url, error, message }, call);
  }

  /** Something to read for the people behind the directory. */
  async feedback({ id, text, email }: Feedback, call?: CallOptions): Promise<void> {
    await this.#say({ c: 'feedback', id, text, email }, call);
  }

  /** How long something was played, in seconds. */
  async played(id: string, seconds: number, call?: CallOptions): Promise<void> {
    await this.#say({ c: 'timelist', id, time1: `${Math.round(seconds)}|0|0`, trigger: 'stop' }, call);
  }

  /** The first question of what is wrong with an item; `follow` an answer until one leads nowhere. */
  wizard(id: string, call?: CallOptions): Promise<Menu> {
    return this.#connection.ask('/Report.ashx', { c: 'wizard', id }, call);
  }

  #say(params: Params, call?: CallOptions): Promise<unknown> {
    return this.#connection.submit('/Report.ashx', params, call);
  }
}
