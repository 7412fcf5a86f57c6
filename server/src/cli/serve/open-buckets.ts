import type { Pool } from 'pg';
import { FleetBuckets, type SharedBook } from '../../core/limits/fleet-buckets.ts';
import { RedisBook } from '../../core/limits/redis-book.ts';
import { supervisedBook } from '../../core/limits/supervised-book.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { ProcessPlace } from '../../net/processes/place.ts';
import type { SupervisorLink } from '../../net/processes/supervisor-link.ts';
import type { Config } from '../../app/config.ts';
import { redisPrefix } from '../../app/open-playing.ts';

interface BucketsDeps {
  pool: Pool;
  log: Log;
  /** Undefined for the only process of a machine. */
  role: (ProcessPlace & { link: SupervisorLink }) | undefined;
}

/**
 * Limits over all processes: counted in Redis if there is one, otherwise by the first process of the machine, which also does
 * so while Redis is away, for the machine's part. Undefined where this process is the only one that anybody knows of.
 */
export async function openBuckets(
  { redisUrl, memberKey }: Pick<Config, 'redisUrl' | 'memberKey'>,
  { pool, log, role }: BucketsDeps,
  opened: AsyncDisposableStack,
): Promise<FleetBuckets | undefined> {
  if (redisUrl === undefined && !role) return undefined;
  const books: SharedBook[] = [];
  const own = role?.of ?? 1;
  let redis: RedisBook | undefined;
  if (redisUrl !== undefined) {
    const prefix = `${await redisPrefix(redisUrl, pool)}limits:`;
    const book = new RedisBook({ url: redisUrl, log, prefix, least: own, onLow: (low) => buckets.hear(low) });
    redis = opened.use(book);
    books.push({ book, part: () => 1, sharers: () => book.processes });
  }
  const ofMachine = (): number => (redis ? own / redis.processes : 1);
  if (role) {
    const onLow = (low: readonly [string, number][]): void =>
      buckets.hear(low.map(([name, level]) => [name, level / ofMachine()]));
    books.push({ book: supervisedBook(role.link, onLow), part: ofMachine, sharers: () => own });
  }
  const buckets = opened.use(new FleetBuckets({ clock: systemClock, books, salt: memberKey ?? '' }));
  return buckets;
}
