import type { Pool } from 'pg';
import { uuidOf } from '../../../lib/ids.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import { type RowOf, statement } from '../../../storage/db/statement.ts';
import { transaction } from '../../../storage/db/transaction.ts';
import { lockAccount } from '../accounts.ts';
import { serialsAfter } from './subscription-rows.ts';

/** Of an account: the latest. */
const MAX_EPISODE_ACTIONS = 10_000;
/** Of one answer; what is left comes with the next, after the serial that this one gives. */
const ACTIONS_PER_PAGE = 2000;

const COLUMNS = {
  episode_key: 'uuid',
  device: 'text',
  action: 'text',
  podcast: 'text',
  episode: 'text',
  happened_at: 'timestamptz?',
  started: 'int4?',
  position: 'int4?',
  total: 'int4?',
  serial: 'int8',
} as const;

export type EpisodeActionRow = RowOf<typeof COLUMNS>;
export type EpisodeAction = Omit<EpisodeActionRow, 'episode_key' | 'serial'>;

const LIST = Object.keys(COLUMNS).join(', ');
const after = statement(
  'episode-actions-after',
  COLUMNS,
  `SELECT ${LIST} FROM episode_actions WHERE account_id = $1 AND serial > $2
     AND ($3::text IS NULL OR podcast = $3) AND ($4::text IS NULL OR device = $4)
   ORDER BY serial LIMIT ${ACTIONS_PER_PAGE}`,
);

export interface ActionsAsked {
  since: number;
  podcast?: string | undefined;
  device?: string | undefined;
}

/** In the order in which they came. */
export const listEpisodeActions = (
  db: Queryable,
  accountId: number,
  { since, podcast, device }: ActionsAsked,
): Promise<EpisodeActionRow[]> => after.run(db, [accountId, since, podcast, device]);

const lastSerial = statement(
  'episode-actions-last',
  { serial: 'int8' },
  'SELECT serial FROM episode_actions WHERE account_id = $1 ORDER BY serial DESC LIMIT 1',
).value((accountId: number) => [accountId]);

// What a phone tells late, of before it was offline, does not undo what happened since.
const write = statement(
  'episode-actions-write',
  {},
  `INSERT INTO episode_actions AS kept (account_id, ${LIST})
   SELECT $1, ${LIST} FROM jsonb_to_recordset($2::jsonb) AS u (episode_key uuid, device text, action text, podcast text,
     episode text, happened_at timestamptz, started integer, position integer, total integer, serial bigint)
   ON CONFLICT (account_id, episode_key, device, action) DO UPDATE SET podcast = excluded.podcast,
     episode = excluded.episode, happened_at = excluded.happened_at, started = excluded.started,
     position = excluded.position, total = excluded.total, serial = excluded.serial
   WHERE coalesce(excluded.happened_at, 'infinity') >= coalesce(kept.happened_at, '-infinity')`,
);
const trim = statement(
  'episode-actions-trim',
  {},
  `DELETE FROM episode_actions WHERE account_id = $1 AND serial <=
     (SELECT serial FROM episode_actions WHERE account_id = $1 ORDER BY serial DESC OFFSET ${MAX_EPISODE_ACTIONS} LIMIT 1)`,
);

/** Keeps the last action of each kind for each episode and device; returns the serial after which others find them. */
export const addEpisodeActions = (
  pool: Pool,
  accountId: number,
  { actions, now }: { actions: readonly EpisodeAction[]; now: Temporal.Instant },
): Promise<number> =>
  transaction(pool, async (client) => {
    await lockAccount(client, accountId);
    const last = (await lastSerial(client, accountId)) ?? 0;
    const serials = serialsAfter(last, now);
    const rows = [...latestOf(actions)].map(([, action]) => ({ ...action, serial: serials.next().value }));
    if (rows.length === 0) return last;
    await write.run(client, [accountId, JSON.stringify(rows)]);
    await trim.run(client, [accountId]);
    return rows.at(-1)?.serial ?? last;
  });

function latestOf(actions: readonly EpisodeAction[]): Map<string, Omit<EpisodeActionRow, 'serial'>> {
  const latest = new Map<string, Omit<EpisodeActionRow, 'serial'>>();
  for (const action of actions) {
    const key = uuidOf(`${action.podcast}\n${action.episode}`);
    const name = `${key} ${action.action} ${action.device}`;
    const earlier = latest.get(name);
    if (isLater(earlier?.happened_at, action.happened_at)) continue;
    latest.set(name, { ...action, episode_key: key });
  }
  return latest;
}

const isLater = (one: Temporal.Instant | null | undefined, other: Temporal.Instant | null): boolean =>
  one instanceof Temporal.Instant && other !== null && Temporal.Instant.compare(one, other) > 0;
