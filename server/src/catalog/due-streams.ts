import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';
import { type Claim, claimDue, claimParams } from './claim-due.ts';

const COLUMNS = {
  stream_id: 'int8',
  host: 'text',
  address: 'text',
  popularity: 'int4',
  reliability: 'int2',
  /** As PostgreSQL writes it: it is only ever compared there. */
  claimed_at: 'text',
  alive_ms: 'float8?',
  failures: 'int2',
  standing: 'float8?',
  standing_at: 'text?',
  standing_ms: 'float8?',
} as const;

/** A stream whose time has come, with what its next look goes by. */
export type DueStream = RowOf<typeof COLUMNS>;

// Instants come as text and as numbers: they are only compared and subtracted, and there are three for each stream.
const AS_CLAIMED = `SELECT m.stream_id, m.host, s.address, t.popularity, s.reliability, now()::text AS claimed_at,
     extract(epoch FROM m.alive_at)::float8 * 1000 AS alive_ms, m.failures, m.standing,
     m.standing_at::text AS standing_at, extract(epoch FROM m.standing_at)::float8 * 1000 AS standing_ms
   FROM moved m JOIN streams s ON s.id = m.stream_id JOIN stations t ON t.id = s.station_id`;

const MOST = 100;
const WINDOW = 200;

/**
 * Nobody listens to a stream twice within this time, whoever asks for it and however often; and so long a stream waits
 * whose worker has died.
 */
export const REST_SECONDS = 300;

const claim = statement(
  'stream-checks-claim',
  COLUMNS,
  `${claimDue({
    table: 'stream_checks',
    id: 'stream_id',
    isDue: '(claimed_at IS NULL OR claimed_at <= now() - make_interval(secs => $2))',
    window: WINDOW,
    whenClaimed: { claimed_at: 'now()' },
  })}
   ${AS_CLAIMED} WHERE m.turn <= $5`,
);

/** Streams that are due, the longest due first; nobody else is given them until the lease is over. */
export const claimStreams = (db: Queryable, asked: Claim): Promise<DueStream[]> =>
  claim.run(db, claimParams(asked, MOST));

const claimOne = statement(
  'stream-check-claim-one',
  COLUMNS,
  `WITH moved AS (
     INSERT INTO stream_checks (stream_id, host, next_due_at, claimed_at)
     SELECT id, coalesce(host_of(address), ''), now() + make_interval(secs => $2), now() FROM streams WHERE id = $1
     ON CONFLICT (stream_id) DO UPDATE SET next_due_at = excluded.next_due_at, claimed_at = excluded.claimed_at
     RETURNING *
   )
   ${AS_CLAIMED}`,
);

/** This stream, due or not, for an operator who asks; a worker that listens to it at this moment writes nothing then. */
export const claimStream = async (db: Queryable, streamId: number): Promise<DueStream | undefined> =>
  (await claimOne.run(db, [streamId, REST_SECONDS]))[0];

const putBack = statement(
  'stream-checks-put-back',
  {},
  `UPDATE stream_checks c SET next_due_at = now() + make_interval(secs => u.seconds), claimed_at = NULL
   FROM unnest($1::bigint[], $2::timestamptz[], $3::float8[]) AS u (stream_id, claimed_at, seconds)
   WHERE c.stream_id = ANY ($1) AND c.stream_id = u.stream_id AND c.claimed_at = u.claimed_at`,
);

/** A stream that was claimed and not listened to. */
export interface PutBack {
  due: DueStream;
  dueInSeconds: number;
}

/** Nothing was found out: they are due again so soon, as if they had not been claimed. */
export async function putBackStreams(db: Queryable, streams: readonly PutBack[]): Promise<void> {
  const ids = streams.map(({ due }) => due.stream_id);
  const claims = streams.map(({ due }) => due.claimed_at);
  await putBack.run(db, [ids, claims, streams.map(({ dueInSeconds }) => dueInSeconds)]);
}
