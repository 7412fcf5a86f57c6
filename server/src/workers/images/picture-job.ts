import { hash } from 'node:crypto';
import type { Pool } from 'pg';
import { conditionsOf, retryAfterSecondsOf, validatorsOf } from '../../lib/answer-headers.ts';
import type { Clock } from '../../lib/clock.ts';
import { FetchFailed, UnsafeAddress } from '../../net/fetch/fetch-failed.ts';
import type { Fetched, SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { HostBusy } from '../../net/fetch/host-limiter.ts';
import {
  claimImages,
  type DueImage,
  finishImage,
  type ImageOutcome,
} from '../../storage/catalog/images/due-images.ts';
import { addPicture, purgeUnusedPictures, isPictureKnown } from '../../storage/catalog/images/pictures.ts';
import { transaction } from '../../storage/db/transaction.ts';
import type { DueJob } from '../runner/due-job.ts';
import type { TimedJob } from '../runner/timed.ts';
import { PictureRefused } from './resize/kind-of.ts';
import type { ResizedImage } from './resize/resize-image.ts';
import type { ImageWorker } from './resize/image-worker.ts';

/** Longer than a fetch and a full queue of pictures take together; also how long a picture waits if its worker dies. */
const LEASE_SECONDS = 300;
const CONCURRENCY = 10;
/** Concurrent requests per host, over the whole fleet. */
const PER_HOST = 2;

interface PictureJobOptions {
  /** How many pictures are fetched concurrently. */
  concurrency?: number | undefined;
  leaseSeconds?: number | undefined;
}

/** The job that fetches the pictures of stations and shows: the most popular first, each once a month. */
export function pictureJob(
  deps: PictureDeps,
  { concurrency = CONCURRENCY, leaseSeconds = LEASE_SECONDS }: PictureJobOptions = {},
): DueJob<DueImage> {
  const busy = new Map<string, number>();
  const count = (host: string, more: number): void => {
    const left = (busy.get(host) ?? 0) + more;
    if (left > 0) busy.set(host, left);
    else busy.delete(host);
  };
  return {
    name: 'pictures',
    concurrency,
    idOf: ({ kind, item_id }) => `${kind}${item_id}`,
    async claim(most) {
      const claimed = await claimImages(deps.pool, { most, leaseSeconds, busy, mostPerHost: PER_HOST });
      for (const { host } of claimed) count(host, 1);
      return claimed;
    },
    async work(due, { cut }) {
      try {
        return await refreshPicture(deps, due, cut);
      } finally {
        count(due.host, -1);
      }
    },
  };
}

/** Deletes pictures that no item uses any more, at night. */
export const purgePicturesJob = ({ pool }: Pick<PictureDeps, 'pool'>): TimedJob => ({
  name: 'forget-pictures',
  at: '41 3 * * *',
  work: async (signal) => ((await purgeUnusedPictures(pool, signal)) > 0 ? 'forgotten' : 'none'),
});

interface PictureDeps {
  pool: Pool;
  fetcher: Pick<SafeFetcher, 'fetch'>;
  imageWorker: Pick<ImageWorker, 'resize'>;
  clock: Clock;
  chance: () => number;
}

const MAX_BYTES = 2 * 2 ** 20;
const MAX_TROUBLE_LENGTH = 300;
const MAX_FAILURES = 1000;
const ACCEPT = 'image/png,image/jpeg,image/webp,image/gif,image/avif,image/svg+xml,image/*;q=0.8';

/**
 * Fetches the picture of an item, stores it in the sizes that radios show, and returns the outcome in one word. A
 * problem with the picture is saved beside it; it throws only when the database cannot be written.
 */
async function refreshPicture(deps: PictureDeps, due: DueImage, signal: AbortSignal): Promise<string> {
  try {
    const fetched = await ask(deps, due, signal);
    const picture = fetched.status === 304 ? undefined : await make(deps, fetched.body);
    await keep(deps, due, fetched, picture);
    return picture === undefined ? 'unchanged' : picture.resized === undefined ? 'known' : 'new';
  } catch (error) {
    // A worker that is stopping records nothing about the picture; its lease ends, and another worker fetches it.
    if (signal.aborted || !isRemoteFailure(error)) throw error;
    const { word, outcome } = troubleOf(error, due, deps.chance());
    await finishImage(deps.pool, due, outcome);
    return word;
  }
}

/**
 * Whether the other side is at fault; our own errors are thrown, and the picture becomes due again when its lease
 * ends.
 */
const isRemoteFailure = (error: unknown): boolean =>
  [HostBusy, FetchFailed, UnsafeAddress, ServerRefused, PictureRefused].some((kind) => error instanceof kind);

/** An HTTP error, with how long the server wants us to wait. */
class ServerRefused extends Error {
  override name = 'ServerRefused';
  readonly retryAfterSeconds: number;

  constructor({ status, headers }: Fetched, now: Temporal.Instant) {
    super(`the server answers ${status}`);
    this.retryAfterSeconds = retryAfterSecondsOf(headers, now);
  }
}

async function ask({ fetcher, clock }: PictureDeps, due: DueImage, signal: AbortSignal): Promise<Fetched> {
  // Without a stored picture, a 304 would leave the item without one.
  const known =
    due.digest === null ? {} : { etag: due.etag ?? undefined, lastModified: due.last_modified ?? undefined };
  const conditions = conditionsOf(known);
  const fetched = await fetcher.fetch(due.address, {
    headers: { accept: ACCEPT, ...conditions },
    maxWireBytes: MAX_BYTES,
    maxBytes: MAX_BYTES,
    signal,
  });
  const isUnchanged = fetched.status === 304 && Object.keys(conditions).length > 0;
  if (fetched.status !== 200 && !isUnchanged) throw new ServerRefused(fetched, clock.now());
  return fetched;
}

interface Made {
  digest: string;
  /** Undefined when the same bytes were resized before. */
  resized: ResizedImage | undefined;
}

async function make({ pool, imageWorker }: PictureDeps, body: Buffer): Promise<Made> {
  const digest = digestOf(body);
  return {
    digest,
    resized: (await isPictureKnown(pool, digest)) ? undefined : await imageWorker.resize(body),
  };
}

/** Half of a SHA-256, as a UUID column stores 16 bytes. */
function digestOf(body: Buffer): string {
  const hex = hash('sha256', body, 'hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}

async function keep(
  { pool, chance }: PictureDeps,
  due: DueImage,
  { headers }: Fetched,
  made: Made | undefined,
): Promise<void> {
  const given = validatorsOf(headers);
  const kept = made ? {} : { etag: due.etag ?? undefined, lastModified: due.last_modified ?? undefined };
  await transaction(pool, async (client) => {
    if (made?.resized) await addPicture(client, { digest: made.digest, ...made.resized });
    await finishImage(client, due, {
      dueInSeconds: dueAfterPicture(chance()),
      failures: 0,
      etag: given.etag ?? kept.etag,
      lastModified: given.lastModified ?? kept.lastModified,
      digest: made?.digest ?? due.digest ?? undefined,
    });
  });
}

/** What a failure means: when to try again, and what to show the operator. The current picture stays. */
function troubleOf(error: unknown, due: DueImage, chance: number): { word: string; outcome: ImageOutcome } {
  const same = {
    etag: due.etag ?? undefined,
    lastModified: due.last_modified ?? undefined,
    digest: due.digest ?? undefined,
  };
  if (error instanceof HostBusy)
    return { word: 'busy', outcome: { ...same, failures: due.failures, dueInSeconds: dueWhenBusy(chance) } };
  const failures = Math.min(due.failures + 1, MAX_FAILURES);
  const trouble = (error instanceof Error ? error.message : String(error)).slice(0, MAX_TROUBLE_LENGTH);
  if (error instanceof PictureRefused || error instanceof UnsafeAddress)
    return {
      word: 'refused',
      outcome: { ...same, failures, trouble, dueInSeconds: dueAfterRefusal(failures, chance) },
    };
  const retryAfter = error instanceof ServerRefused ? error.retryAfterSeconds : 0;
  return {
    word: 'failed',
    outcome: {
      ...same,
      failures,
      trouble,
      dueInSeconds: pictureDueAfterFailure(failures, retryAfter, chance),
    },
  };
}

const [HOUR, DAY] = [3600, 86_400];
const AFTER_PICTURE = 30 * DAY;
const MAX_WAIT = 30 * DAY;
/** A file that is not a picture is unlikely to become one soon. */
const AFTER_REFUSAL = 7 * DAY;
/** A host that other workers are busy with is retried soon, but not by all of them at the same moment. */
const AFTER_BUSY = 5;

/** `chance`, between 0 and 1, spreads pictures that were added together. */
const jittered = (seconds: number, chance: number): number => Math.round(seconds * (0.9 + 0.2 * chance));

/** Seconds until a picture that was fetched is checked again. */
const dueAfterPicture = (chance: number): number => jittered(AFTER_PICTURE, chance);

/**
 * The same when its server could not be reached: an hour at first, twice as long each time, a month at most, and never
 * before the server allows.
 */
export function pictureDueAfterFailure(failures: number, retryAfterSeconds: number, chance: number): number {
  const least = Math.min(retryAfterSeconds, MAX_WAIT);
  const usual = Math.min(HOUR * 2 ** Math.min(failures - 1, 20), MAX_WAIT);
  return Math.max(jittered(Math.max(usual, least), chance), least);
}

/** The same for a file that was refused as a picture: a week at first. */
const dueAfterRefusal = (failures: number, chance: number): number =>
  jittered(Math.min(AFTER_REFUSAL * 2 ** Math.min(failures - 1, 20), MAX_WAIT), chance);

const dueWhenBusy = (chance: number): number => Math.round(AFTER_BUSY * (1 + chance));
