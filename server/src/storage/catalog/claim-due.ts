interface DueTable {
  table: string;
  /** Its key, which is a bigint. */
  id: string;
  /** SQL condition for rows that can be due. */
  isDue: string;
  /** How many rows are considered, so that one host's thousands do not block all others. */
  window: number;
  /** Columns set when a row is claimed; `c` is the row before. */
  whenClaimed?: Readonly<Record<string, string>>;
}

/** How long a row is put off at first when its host has no room; the delay doubles each time. */
const [PUT_OFF_SECONDS, MAX_SECONDS] = [5, 600];

/**
 * Claims due rows, the longest due first, as common table expressions: of `moved`, those with `turn <= $5` belong to
 * the caller for `$2` seconds, at most `$1` of them. `$3` and `$4` are hosts and how many rows of each the caller
 * already has, `$5` how many it may have.
 *
 * The claim is the due time itself, moved to the end of the lease: there are no job rows to maintain, and a worker that
 * dies releases its rows by doing nothing. A host's rows beyond its limit are put off, so that the next claim finds
 * others: they form the host's backlog, and are claimed before their time when the caller has room for that host again.
 * So a host with a hundred thousand due rows is kept busy without a pause, and most of its rows are written twice
 * instead of at every claim. At most half of a claim comes from backlogs. The window is a literal in the text: with a
 * parameter PostgreSQL plans for a tenth of the table.
 */
export function claimDue({ table, id, isDue, window, whenClaimed = {} }: DueTable): string {
  const set = Object.entries(whenClaimed).map(
    ([column, value]) => `${column} = CASE WHEN p.turn <= $5 THEN ${value} ELSE c.${column} END,`,
  );
  return `WITH backlog AS (
     SELECT l.${id}, l.host, l.next_due_at
     FROM unnest($3::text[], $4::integer[]) AS b (host, busy) CROSS JOIN LATERAL (
       SELECT ${id}, host, next_due_at FROM ${table} WHERE host = b.host AND put_off > 0 AND ${isDue}
       ORDER BY next_due_at LIMIT greatest($5::integer - b.busy, 0) FOR UPDATE SKIP LOCKED
     ) AS l LIMIT ($1::integer + 1) / 2
   ), due AS (
     SELECT ${id}, host, next_due_at FROM ${table} WHERE ${isDue} AND next_due_at <= now()
     ORDER BY next_due_at LIMIT ${window} FOR UPDATE SKIP LOCKED
   ), found AS (
     SELECT ${id}, host, next_due_at, false AS is_new FROM backlog
     UNION ALL SELECT ${id}, host, next_due_at, true FROM due WHERE ${id} NOT IN (SELECT ${id} FROM backlog)
   ), turned AS (
     SELECT f.${id}, f.is_new, f.next_due_at, row_number() OVER (PARTITION BY f.host ORDER BY f.is_new, f.next_due_at)
       + coalesce(b.busy, 0) AS turn
     FROM found f LEFT JOIN unnest($3::text[], $4::integer[]) AS b (host, busy) ON b.host = f.host
   ), placed AS (
     SELECT ${id}, turn, row_number() OVER (ORDER BY turn > $5::integer, is_new, next_due_at) AS place FROM turned
   ), moved AS (
     UPDATE ${table} c SET next_due_at = now() + make_interval(secs => CASE WHEN p.turn <= $5 THEN $2
         ELSE least(${PUT_OFF_SECONDS} * 2 ^ c.put_off, ${MAX_SECONDS}) + 0.02 * (p.turn - $5) END),
       ${set.join(' ')} put_off = CASE WHEN p.turn <= $5 THEN 0 ELSE least(c.put_off + 1, 12) END
     FROM placed p WHERE p.${id} = c.${id} AND (p.turn > $5 OR p.place <= $1)
     RETURNING c.*, p.turn
   )`;
}

/** A worker's request for rows. */
export interface Claim {
  most: number;
  /** No other worker gets them for this long. */
  leaseSeconds: number;
  /** How many rows the caller already has, for hosts at their limit or with a backlog. */
  busy: ReadonlyMap<string, number>;
  mostPerHost: number;
}

/** The parameters of such a claim; `most` caps one claim, and a worker with room for more claims again. */
export const claimParams = (claim: Claim, most: number): unknown[] => [
  Math.min(claim.most, most),
  claim.leaseSeconds,
  [...claim.busy.keys()],
  [...claim.busy.values()],
  claim.mostPerHost,
];
