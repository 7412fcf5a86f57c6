import { hash, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { type RowOf, statement } from '../../db/statement.ts';
import { transaction } from '../../db/transaction.ts';

/** How long a stream stays announced after its server's last word. */
const EXPIRES_MINUTES = 10;
/** Of one address. A server for several stations has some ten. */
export const MAX_OF_NETWORK = 20;
/** Of all; more than the largest directory of this kind has. */
const MAX_ANNOUNCED = 20_000;
const SID_BYTES = 16;

/** A stream as its server describes it, cleaned. */
export interface AnnouncedStream {
  network: string;
  caller: string;
  address: string;
  addressKey: string;
  name: string;
  genre: string;
  homepage: string | undefined;
  contentType: string | undefined;
  bitrateKbps: number;
}

const add = statement(
  'announced-add',
  { bitrate: 'int4' },
  `INSERT INTO announced_streams AS a
     (network, address_key, sid_hash, caller, address, name, genre, homepage, content_type, bitrate, expires_at)
   SELECT $1::text, $2::uuid, $3::bytea, $4::text, $5::text, $6::text, $7::text, $8::text, $9::text, $10::integer, now() + interval '${EXPIRES_MINUTES} minutes'
   WHERE (SELECT count(*) FROM announced_streams o WHERE o.network = $1 AND o.address_key <> $2 AND o.expires_at > now())
       < ${MAX_OF_NETWORK}
     AND (SELECT count(*) FROM (SELECT FROM announced_streams LIMIT ${MAX_ANNOUNCED}) AS all_of_them) < ${MAX_ANNOUNCED}
   ON CONFLICT (network, address_key) DO UPDATE SET
     sid_hash = excluded.sid_hash, caller = excluded.caller, address = excluded.address, name = excluded.name,
     genre = excluded.genre, homepage = excluded.homepage, content_type = excluded.content_type,
     bitrate = excluded.bitrate, touched_at = now(), expires_at = excluded.expires_at,
     -- What was proven of another name or another machine of the network is not proven of this.
     proof = CASE WHEN a.caller = excluded.caller AND a.name = excluded.name THEN a.proof END,
     next_due_at = CASE WHEN a.caller = excluded.caller AND a.name = excluded.name THEN a.next_due_at
       ELSE now() + interval '1 minute' END,
     imported = a.imported AND (a.name, a.genre, a.homepage, a.bitrate) IS NOT DISTINCT FROM
       (excluded.name, excluded.genre, excluded.homepage, excluded.bitrate)
   RETURNING a.bitrate`,
);

/** The session id to touch it with, which replaces an earlier one; undefined where its network or the table is full. */
export async function addAnnounced(pool: Pool, announced: AnnouncedStream): Promise<string | undefined> {
  const { network, caller, address, addressKey, name, genre, homepage, contentType, bitrateKbps } = announced;
  const sid = randomBytes(SID_BYTES).toString('hex');
  const facts = [caller, address, name, genre, homepage ?? null, contentType ?? null, bitrateKbps];
  const added = await transaction(pool, async (client) => {
    // Announcements of one network take turns, or several at once would find the same room.
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`announced ${network}`]);
    return add.run(client, [network, addressKey, hashOf(sid), ...facts]);
  });
  return added.length > 0 ? sid : undefined;
}

/** An announced stream, and the station that plays at its address. */
const TOUCHED = { proof: 'text?', station_id: 'int8?', has_key: 'bool' } as const;

export const touchAnnounced = statement(
  'announced-touch',
  TOUCHED,
  `WITH touched AS (
     UPDATE announced_streams SET touched_at = now(), expires_at = now() + interval '${EXPIRES_MINUTES} minutes',
       song = $2, listeners = $3
     WHERE sid_hash = $1 AND expires_at > now() RETURNING proof, address_key
   )
   SELECT t.proof, s.station_id, EXISTS (SELECT FROM station_keys k WHERE k.station_id = s.station_id) AS has_key
   FROM touched t LEFT JOIN streams s ON s.address_key = t.address_key AND s.listed`,
).first((sid: string, song: string | undefined, listeners: number | undefined) => [
  hashOf(sid),
  song ?? null,
  listeners ?? null,
]);

export const removeAnnounced = statement(
  'announced-remove',
  { name: 'text' },
  'DELETE FROM announced_streams WHERE sid_hash = $1 RETURNING name',
).exists((sid: string) => [hashOf(sid)]);

export const purgeAnnounced = statement(
  'announced-purge',
  {},
  'DELETE FROM announced_streams WHERE expires_at < now()',
).command();

const DUE = {
  network: 'text',
  address_key: 'uuid',
  caller: 'text',
  address: 'text',
  name: 'text',
  failures: 'int2',
} as const;
export type DueAnnounced = RowOf<typeof DUE>;

/** The longest due first. Each claim counts as a failure until it is heard: 2, 4, 8 … minutes, up to 4 hours. */
export const claimAnnounced = statement(
  'announced-claim',
  DUE,
  `WITH due AS (
     SELECT network, address_key FROM announced_streams WHERE next_due_at <= now() AND expires_at > now()
     ORDER BY next_due_at LIMIT $1 FOR UPDATE SKIP LOCKED
   )
   UPDATE announced_streams a SET failures = least(a.failures + 1, 8),
     next_due_at = now() + least(interval '1 minute' * 2 ^ least(a.failures + 1, 8), interval '4 hours')
   FROM due d WHERE (a.network, a.address_key) = (d.network, d.address_key)
   RETURNING a.network, a.address_key, a.caller, a.address, a.name, a.failures`,
).all((most: number) => [most]);

/** What came of listening to it. A proof is looked for again after a day: names come to lead elsewhere. */
export const noteHeard = statement(
  'announced-heard',
  {},
  `UPDATE announced_streams SET heard_at = now(), proof = $5, problem = $6, failures = 0,
     next_due_at = now() + CASE WHEN $5::text IS NULL THEN interval '1 hour' ELSE interval '1 day' END
   WHERE (network, address_key) = ($1, $2) AND caller = $3 AND name = $4`,
).command((due: DueAnnounced, proof: 'host' | 'name' | undefined, problem: string | undefined) => [
  due.network,
  due.address_key,
  due.caller,
  due.name,
  proof ?? null,
  problem ?? null,
]);

export const noteSilent = statement(
  'announced-silent',
  {},
  'UPDATE announced_streams SET problem = $3 WHERE (network, address_key) = ($1, $2)',
).command((due: DueAnnounced, problem: string) => [due.network, due.address_key, problem]);

const LISTABLE = {
  address_key: 'uuid',
  address: 'text',
  name: 'text',
  genre: 'text',
  homepage: 'text?',
  content_type: 'text?',
  bitrate: 'int4',
} as const;
export type ListableStream = RowOf<typeof LISTABLE>;

/**
 * Streams that were heard and are their announcer's own, in the order of their keys, after `$1`; of two announcements of one the host's.
 * A station with a key says itself what it is, so nothing is told of it; unless it is not listed any more, since it is back then.
 */
export const listListable = statement(
  'announced-listable',
  LISTABLE,
  `SELECT DISTINCT ON (a.address_key) a.address_key, a.address, a.name, a.genre, a.homepage, a.content_type, a.bitrate
   FROM announced_streams a
   WHERE a.heard_at IS NOT NULL AND a.proof IS NOT NULL AND a.expires_at > now()
     AND NOT EXISTS (SELECT FROM streams s JOIN station_keys k ON k.station_id = s.station_id
       WHERE s.address_key = a.address_key AND s.listed)
   ORDER BY a.address_key, a.proof <> 'host', a.announced_at LIMIT ${MAX_ANNOUNCED}`,
).all();

export const hasUnlisted = statement(
  'announced-unlisted',
  { is_there: 'bool' },
  `SELECT EXISTS (SELECT FROM announced_streams
     WHERE NOT imported AND heard_at IS NOT NULL AND proof IS NOT NULL AND expires_at > now()) AS is_there`,
).oneValue();

/** Whether anything was ever listed of what was announced. */
export const hasAnnouncedRecords = statement(
  'announced-records',
  { record: 'text' },
  'SELECT record FROM station_records WHERE source = $1 ORDER BY record LIMIT 1',
).exists((source: string) => [source]);

export const markImported = statement(
  'announced-imported',
  {},
  'UPDATE announced_streams SET imported = true WHERE NOT imported AND address_key = ANY ($1::uuid[])',
).command((addressKeys: readonly string[]) => [addressKeys]);

const SHOWN = {
  address: 'text',
  name: 'text',
  caller: 'text',
  proof: 'text?',
  problem: 'text?',
  song: 'text?',
  listeners: 'int4?',
  touched_at: 'timestamptz',
  heard_at: 'timestamptz?',
  station_id: 'int8?',
} as const;
export type ShownAnnounced = RowOf<typeof SHOWN>;

/** For an operator, the latest announced first. */
export const listAnnounced = statement(
  'announced-list',
  SHOWN,
  `SELECT a.address, a.name, a.caller, a.proof, a.problem, a.song, a.listeners, a.touched_at, a.heard_at, s.station_id
   FROM announced_streams a LEFT JOIN streams s ON s.address_key = a.address_key AND s.listed
   WHERE a.expires_at > now() ORDER BY a.announced_at DESC, a.address LIMIT $1 OFFSET $2`,
).all(({ limit, offset }: { limit: number; offset: number }) => [limit, offset]);

const hashOf = (sid: string): Buffer => hash('sha256', sid, 'buffer');
