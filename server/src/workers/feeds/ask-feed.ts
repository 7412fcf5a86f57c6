import { conditionsOf, retryAfterSecondsOf } from '../../lib/answer-headers.ts';
import { ThreadEnded, type Threads } from '../../lib/threads.ts';
import type { Fetched, SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import type { DueFeed } from '../../storage/catalog/feeds/feeds.ts';
import type { ParsedFeed, ParseOutcome, ParseTask } from './parse-thread.ts';

export interface FeedReaders {
  fetcher: Pick<SafeFetcher, 'fetch'>;
  threads: Pick<Threads<ParseTask, ParseOutcome>, 'run'>;
}

/** A feed that could not be read, with a reason a person can understand. */
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

interface AskedFeed {
  fetched: Fetched;
  /** Undefined when the server says that the feed has not changed. */
  parsed: ParsedFeed | undefined;
}

const ACCEPT = 'application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5';

/** Fetches the feed, unless its server says that it has not changed. */
async function askFeed(
  { fetcher, threads }: FeedReaders,
  address: string,
  known: Pick<DueFeed, 'etag' | 'last_modified' | 'digest'>,
  signal: AbortSignal,
): Promise<AskedFeed> {
  const validators = { etag: known.etag ?? undefined, lastModified: known.last_modified ?? undefined };
  const conditions = conditionsOf(validators);
  const fetched = await fetcher.fetch(address, { headers: { accept: ACCEPT, ...conditions }, signal });
  // A 304 to an unconditional request is an error, not an answer.
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
  // A copy: small bodies share a buffer with others, which must not be transferred to a thread.
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

export type FoundFeed = AskedFeed & {
  /** The new address of the feed, if it has moved. */
  movedTo: string | undefined;
  /**
   * The feed says itself that it has moved: `unread` when nothing could be read there yet, else what was read is from
   * there.
   */
  notice: 'none' | 'unread' | 'followed';
};

/** Fetches the feed and follows a move it announces, but only once a feed can be read at the new address. */
export async function findFeed(readers: FeedReaders, due: DueFeed, signal: AbortSignal): Promise<FoundFeed> {
  const asked = await askFeed(readers, due.address, due, signal);
  const here = { ...asked, movedTo: asked.fetched.movedTo, notice: 'none' as const };
  const { newAddress } = asked.parsed ?? {};
  if (newAddress === undefined || newAddress === due.address || newAddress === asked.fetched.address)
    return here;
  try {
    const unknown = { etag: null, last_modified: null, digest: due.digest };
    return {
      ...(await askFeed(readers, newAddress, unknown, signal)),
      movedTo: newAddress,
      notice: 'followed',
    };
  } catch (error) {
    if (signal.aborted) throw error;
    return { ...here, notice: 'unread' };
  }
}
