import { storable } from '../../lib/storable-text.ts';

/** One call of a device and its response, without personal data. */
export interface DiaryCall {
  /** When, in milliseconds since 1970. */
  at: number;
  /** `Tune s123`. */
  what: string;
  status: number;
  /** What was searched for; only for the owner of a device. */
  query?: string | undefined;
  /** For a refusal, or a player that is told why it hears nothing: the code and the text. */
  code?: string | undefined;
  answer?: string | undefined;
}

/** For the database: what a caller wrote may be cut in the middle of a character. */
export const writeCalls = (calls: readonly DiaryCall[]): string =>
  JSON.stringify(calls, (_key, value: unknown) => (typeof value === 'string' ? storable(value) : value));

/** Per device. */
export const MAX_CALLS = 20;

/** The latest calls: a ring buffer of `MAX_CALLS`. */
export class RecentCalls<Call> {
  readonly #calls: Call[] = [];
  #count = 0;

  add(call: Call): void {
    this.#calls[this.#count % MAX_CALLS] = call;
    this.#count += 1;
  }

  newestFirst(): Call[] {
    return this.#calls.map((_call, place) => this.#calls[(this.#count - 1 - place) % this.#calls.length]!);
  }
}
