import type { DueFeed } from '../catalog/due-feeds.ts';
import type { Fetched, SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import { conditionsOf, retryAfterSecondsOf } from '../lib/answer-headers.ts';
import { type Threads, ThreadEnded } from '../lib/threads.ts';
import type { ParseOutcome, ParseTask, ParsedFeed } from './parse-thread.ts';

export interface FeedReaders {
  fetcher: Pick<SafeFetcher, 'fetch'>;
  threads: Pick<Threads<ParseTask, ParseOutcome>, 'run'>;
}

/** A feed that could not be read, with the reason for a person. */
export class FeedTrouble extends Error {
  override name = 'FeedTrouble';
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, status = 0, retryAfter?: number) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = retryAfter;
  }
}

export interface AskedFeed {
  fetched: Fetched;
  /** Nothing when the server says that it has not changed. */
  parsed: ParsedFeed | undefined;
}

const ACCEPT = 'application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5';

/** The feed as it is now, or word that it has not changed. */
export async function askFeed(
  { fetcher, threads }: FeedReaders,
  address: string,
  known: Pick<DueFeed, 'etag' | 'last_modified' | 'digest'>,
  signal: AbortSignal,
): Promise<AskedFeed> {
  const validators = { etag: known.etag ?? undefined, lastModified: known.last_modified ?? undefined };
  const conditions = conditionsOf(validators);
  const fetched = await fetcher.fetch(address, { headers: { accept: ACCEPT, ...conditions }, signal });
  // Who was not asked for news alone, and says that there are none, has told nothing.
  if (fetched.status === 304 && Object.keys(conditions).length > 0) return { fetched, parsed: undefined };
  if (fetched.status !== 200)
    throw new FeedTrouble(
      `the server answers ${fetched.status}`,
      fetched.status,
      retryAfterSecondsOf(fetched.headers, Temporal.Now.instant()),
    );
  return { fetched, parsed: await parse(threads, fetched, known.digest) };
}

async function parse(
  threads: FeedReaders['threads'],
  { body, address }: Fetched,
  digest: string | null,
): Promise<ParsedFeed> {
  // A copy of its own: small bodies share their memory with others, which a thread must not be given.
  const bytes = new Uint8Array(body);
  try {
    const outcome = await threads.run({ bytes, address, digest }, [bytes.buffer]);
    if ('flaw' in outcome) throw new FeedTrouble(outcome.flaw);
    return outcome.parsed;
  } catch (error) {
    if (error instanceof ThreadEnded) throw new FeedTrouble(error.message);
    throw error;
  }
}
