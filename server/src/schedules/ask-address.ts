import type { LastAnswer } from '../catalog/due-schedules.ts';
import { readText } from '../formats/schedule/read-text.ts';
import { conditionsOf, freshSecondsOf, retryAfterSecondsOf, validatorsOf } from '../lib/answer-headers.ts';
import type { Fetched, SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import { UnsafeAddress } from '../lib/fetch-safely/unsafe-address.ts';

/** Why a schedule could not be had, in words for the operator; never with the address, which may hold a key. */
export class ReadingError extends Error {
  override name = 'ReadingError';
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds = 0) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface Question {
  address: string;
  known: LastAnswer;
  maxBytes: number;
  now: Temporal.Instant;
  signal: AbortSignal;
}

/** What a server says: its text, that it is what it was (without a text), or that there is none. */
export type Answer =
  | { kind: 'text'; text: string; last: LastAnswer; freshSeconds: number; movedTo: string | undefined }
  | { kind: 'same'; freshSeconds: number }
  | { kind: 'none'; status: number };

const GONE_SECONDS = 7 * 86_400;

export async function askAddress(
  fetcher: Pick<SafeFetcher, 'fetch'>,
  { address, known, maxBytes, now, signal }: Question,
): Promise<Answer> {
  const headers = conditionsOf(known);
  const options = { headers, maxBytes, maxWireBytes: maxBytes, signal };
  const fetched = await fetcher.fetch(address, options).catch((error: unknown) => {
    throw unreachable(address, error);
  });
  const { status } = fetched;
  if (status === 200) return textAnswer(fetched);
  if (status === 304 && Object.keys(headers).length > 0)
    return { kind: 'same', freshSeconds: freshSecondsOf(fetched.headers) };
  if (status === 404 || status === 410 || status === 204) return { kind: 'none', status };
  throw new ReadingError(
    `${new URL(address).host} answered ${status} instead of a schedule`,
    retryAfterSecondsOf(fetched.headers, now),
  );
}

function unreachable(address: string, error: unknown): ReadingError {
  const host = URL.parse(address)?.host ?? 'the address';
  const why = error instanceof Error ? error.message : String(error);
  const how = error instanceof UnsafeAddress ? 'is not read' : 'cannot be read';
  return new ReadingError(`${host} ${how}: ${why}`);
}

async function textAnswer({ headers, body, movedTo }: Fetched): Promise<Answer> {
  const text = await readText(once(body));
  return { kind: 'text', text, last: validatorsOf(headers), freshSeconds: freshSecondsOf(headers), movedTo };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Nothing at any address: a wrong one, or a day that was not published. One that is gone is asked for once a week. */
export const nothingThere = (address: string, status: number): ReadingError =>
  new ReadingError(
    `${new URL(address).host} answered ${status}, there is no schedule at the address: look it up again`,
    status === 410 ? GONE_SECONDS : 0,
  );
