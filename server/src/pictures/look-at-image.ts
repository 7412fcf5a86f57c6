import { hash } from 'node:crypto';
import type { Pool } from 'pg';
import { type DueImage, type ImageOutcome, finishImage } from '../catalog/due-images.ts';
import { addPicture, isPictureKnown } from '../catalog/pictures.ts';
import { transaction } from '../db/transaction.ts';
import { conditionsOf, retryAfterSecondsOf, validatorsOf } from '../lib/answer-headers.ts';
import type { Clock } from '../lib/clock.ts';
import { FetchFailed } from '../lib/fetch-safely/fetch-failed.ts';
import type { Fetched, SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import { NoSeat } from '../lib/fetch-safely/seats.ts';
import { UnsafeAddress } from '../lib/fetch-safely/unsafe-address.ts';
import { dueAfterFailure, dueAfterPicture, dueAfterRefusal, dueWhenBusy } from './next-look.ts';
import type { Press } from './press/press.ts';
import type { Pressed } from './press/press-picture.ts';
import { PictureRefused } from './press/refused.ts';

export interface LookNeeds {
  pool: Pool;
  fetcher: Pick<SafeFetcher, 'fetch'>;
  press: Pick<Press, 'press'>;
  clock: Clock;
  chance: () => number;
}

export const MOST_BYTES = 2 * 2 ** 20;
const LONGEST_TROUBLE = 300;
const MOST_FAILURES = 1000;
const ACCEPT = 'image/png,image/jpeg,image/webp,image/gif,image/avif,image/svg+xml,image/*;q=0.8';

/**
 * Fetches the picture of an item and keeps it in the sizes that radios show; says in a word how it went. What is wrong
 * with a picture is written down beside it; throws when the database cannot be written, which says nothing of it.
 */
export async function lookAtImage(needs: LookNeeds, due: DueImage, signal: AbortSignal): Promise<string> {
  try {
    const fetched = await ask(needs, due, signal);
    const picture = fetched.status === 304 ? undefined : await make(needs, fetched.body);
    await keep(needs, due, fetched, picture);
    return picture === undefined ? 'unchanged' : picture.pressed === undefined ? 'known' : 'new';
  } catch (error) {
    // A worker that is stopping says nothing of the picture; its lease ends, and another looks.
    if (signal.aborted || !isOfThePicture(error)) throw error;
    const { word, outcome } = troubleOf(error, due, needs.chance());
    await finishImage(needs.pool, due, outcome);
    return word;
  }
}

/** Whether it is the other side's fault; what is ours is thrown, and the picture is due again by itself. */
const isOfThePicture = (error: unknown): boolean =>
  [NoSeat, FetchFailed, UnsafeAddress, ServerSaysNo, PictureRefused].some((kind) => error instanceof kind);

/** A server's refusal, with how long it wants to be left alone. */
class ServerSaysNo extends Error {
  override name = 'ServerSaysNo';
  readonly retryAfterSeconds: number;

  constructor({ status, headers }: Fetched, now: Temporal.Instant) {
    super(`the server answers ${status}`);
    this.retryAfterSeconds = retryAfterSecondsOf(headers, now);
  }
}

async function ask({ fetcher, clock }: LookNeeds, due: DueImage, signal: AbortSignal): Promise<Fetched> {
  // Without a picture of it here, "nothing new" would leave the item without one.
  const known =
    due.digest === null ? {} : { etag: due.etag ?? undefined, lastModified: due.last_modified ?? undefined };
  const conditions = conditionsOf(known);
  const fetched = await fetcher.fetch(due.address, {
    headers: { accept: ACCEPT, ...conditions },
    maxWireBytes: MOST_BYTES,
    maxBytes: MOST_BYTES,
    signal,
  });
  const isUnchanged = fetched.status === 304 && Object.keys(conditions).length > 0;
  if (fetched.status !== 200 && !isUnchanged) throw new ServerSaysNo(fetched, clock.now());
  return fetched;
}

interface Made {
  digest: string;
  /** Undefined when the same bytes were made into pictures before. */
  pressed: Pressed | undefined;
}

async function make({ pool, press }: LookNeeds, body: Buffer): Promise<Made> {
  const digest = digestOf(body);
  return { digest, pressed: (await isPictureKnown(pool, digest)) ? undefined : await press.press(body) };
}

/** Half of a SHA-256, as PostgreSQL keeps 16 bytes. */
function digestOf(body: Buffer): string {
  const hex = hash('sha256', body, 'hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}

async function keep(
  { pool, chance }: LookNeeds,
  due: DueImage,
  { headers }: Fetched,
  made: Made | undefined,
): Promise<void> {
  const told = validatorsOf(headers);
  const kept = made ? {} : { etag: due.etag ?? undefined, lastModified: due.last_modified ?? undefined };
  await transaction(pool, async (client) => {
    if (made?.pressed) await addPicture(client, { digest: made.digest, ...made.pressed });
    await finishImage(client, due, {
      dueInSeconds: dueAfterPicture(chance()),
      failures: 0,
      etag: told.etag ?? kept.etag,
      lastModified: told.lastModified ?? kept.lastModified,
      digest: made?.digest ?? due.digest ?? undefined,
    });
  });
}

/** What a failure means: when to look again, and what the operator is told. The picture that is shown stays. */
function troubleOf(error: unknown, due: DueImage, chance: number): { word: string; outcome: ImageOutcome } {
  const same = {
    etag: due.etag ?? undefined,
    lastModified: due.last_modified ?? undefined,
    digest: due.digest ?? undefined,
  };
  if (error instanceof NoSeat)
    return { word: 'busy', outcome: { ...same, failures: due.failures, dueInSeconds: dueWhenBusy(chance) } };
  const failures = Math.min(due.failures + 1, MOST_FAILURES);
  const trouble = (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_TROUBLE);
  if (error instanceof PictureRefused || error instanceof UnsafeAddress)
    return {
      word: 'refused',
      outcome: { ...same, failures, trouble, dueInSeconds: dueAfterRefusal(failures, chance) },
    };
  const retryAfter = error instanceof ServerSaysNo ? error.retryAfterSeconds : 0;
  return {
    word: 'failed',
    outcome: { ...same, failures, trouble, dueInSeconds: dueAfterFailure(failures, retryAfter, chance) },
  };
}
