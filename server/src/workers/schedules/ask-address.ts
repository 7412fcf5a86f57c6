import { readText } from '../../formats/schedule/parse.ts';
import {
  conditionsOf,
  freshSecondsOf,
  retryAfterSecondsOf,
  type Validators,
  validatorsOf,
} from '../../lib/answer-headers.ts';
import { UnsafeAddress } from '../../net/fetch/fetch-failed.ts';
import type { Fetched, SafeFetcher } from '../../net/fetch/fetch-safely.ts';

/** Why a schedule could not be read, for the operator; never with the address, which may hold a key. */
export class ReadingError extends Error {
  override name = 'ReadingError';
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds = 0) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface Question {
  address: string;
  known: Validators;
  maxBytes: number;
  now: Temporal.Instant;
  signal: AbortSignal;
}

/** The server's answer: a text, unchanged (without a text), or nothing there. */
export type ScheduleAnswer =
  | { kind: 'text'; text: string; last: Validators; freshSeconds: number; movedTo: string | undefined }
  | { kind: 'same'; freshSeconds: number }
  | { kind: 'none'; status: number };

const GONE_SECONDS = 7 * 86_400;

export async function askAddress(
  fetcher: Pick<SafeFetcher, 'fetch'>,
  { address, known, maxBytes, now, signal }: Question,
): Promise<ScheduleAnswer> {
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

async function textAnswer({ headers, body, movedTo }: Fetched): Promise<ScheduleAnswer> {
  const text = await readText(once(body));
  return { kind: 'text', text, last: validatorsOf(headers), freshSeconds: freshSecondsOf(headers), movedTo };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Nothing at any address: a wrong one, or a day that was not published. One that is gone is retried once a week. */
export const noScheduleAt = (address: string, status: number): ReadingError =>
  new ReadingError(
    `${new URL(address).host} answered ${status}: there is no schedule at this address; check the address`,
    status === 410 ? GONE_SECONDS : 0,
  );

/** The most that is requested: no station publishes more, and no listener looks further ahead. */
const MAX_DAYS = 7;

const DAY_IN_ADDRESS = /\{(yyyymmdd|yyyy-mm-dd)\}/g;

export interface DayAddress {
  /** `20260329`; '' where one address covers all days. */
  day: string;
  address: string;
}

/** `…/{yyyymmdd}_PI.xml` expanded to the addresses of a week from today; any other address as it is. */
export function dayAddresses(template: string, today: Temporal.PlainDate): DayAddress[] {
  if (!isDaily(template)) return [{ day: '', address: template }];
  return Array.from({ length: MAX_DAYS }, (_, ahead) => today.add({ days: ahead }).toString()).map((iso) => {
    const day = iso.replaceAll('-', '');
    const address = template.replaceAll(DAY_IN_ADDRESS, (_whole, form) => (form === 'yyyymmdd' ? day : iso));
    return { day, address };
  });
}

export const isDaily = (template: string): boolean => template.search(DAY_IN_ADDRESS) !== -1;
