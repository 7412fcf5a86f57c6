interface DueTable {
  table: string;
  /** Its key, which is a bigint. */
  id: string;
  /** Which of its rows are due. */
  isDue: string;
  /** How many are looked at, so that one host's thousands do not stand before all others. */
  window: number;
  /** Set of a row that is given out; what it was before is `c`. */
  whenClaimed?: Readonly<Record<string, string>>;
}

/** A row whose host has no room waits so long at first, and twice as long each time that nobody took it from the line. */
const [PUT_OFF_SECONDS, LONGEST_SECONDS] = [5, 600];

/**
 * Claims rows that are due, the longest due first, as common table expressions: of `moved`, those with `turn <= $5` are the
 * caller's for `$2` seconds, at most `$1` of them. `$3` and `$4` are hosts and how many of each the caller has in hand,
 * `$5` how many it may have.
 *
 * The claim is the due time itself, moved behind the lease: no job rows to keep, and a worker that dies gives its rows back
 * by doing nothing. A host's rows beyond what may be asked of it at once are put off, so that the next claim finds others:
 * they stand in a line, and come next, before their time, when the caller has room for one of its hosts again. So a host
 * that has a hundred thousand due is asked without a pause, and most of its rows are written down twice and not at every
 * claim. Half of a claim is for lines at most. The window is a number in the text: with a parameter PostgreSQL plans for
 * a tenth of the table.
 */
export function claimDue({ table, id, isDue, window, whenClaimed = {} }: DueTable): string {
  const set = Object.entries(whenClaimed).map(
    ([column, value]) => `${column} = CASE WHEN p.turn <= $5 THEN ${value} ELSE c.${column} END,`,
  );
  return `WITH lined AS (
     SELECT l.${id}, l.host, l.next_due_at
     FROM unnest($3::text[], $4::integer[]) AS b (host, busy) CROSS JOIN LATERAL (
       SELECT ${id}, host, next_due_at FROM ${table} WHERE host = b.host AND put_off > 0 AND ${isDue}
       ORDER BY next_due_at LIMIT greatest($5::integer - b.busy, 0) FOR UPDATE SKIP LOCKED
     ) AS l LIMIT ($1::integer + 1) / 2
   ), due AS (
     SELECT ${id}, host, next_due_at FROM ${table} WHERE ${isDue} AND next_due_at <= now()
     ORDER BY next_due_at LIMIT ${window} FOR UPDATE SKIP LOCKED
   ), found AS (
     SELECT ${id}, host, next_due_at, false AS is_new FROM lined
     UNION ALL SELECT ${id}, host, next_due_at, true FROM due WHERE ${id} NOT IN (SELECT ${id} FROM lined)
   ), turned AS (
     SELECT f.${id}, f.is_new, f.next_due_at, row_number() OVER (PARTITION BY f.host ORDER BY f.is_new, f.next_due_at)
       + coalesce(b.busy, 0) AS turn
     FROM found f LEFT JOIN unnest($3::text[], $4::integer[]) AS b (host, busy) ON b.host = f.host
   ), placed AS (
     SELECT ${id}, turn, row_number() OVER (ORDER BY turn > $5::integer, is_new, next_due_at) AS place FROM turned
   ), moved AS (
     UPDATE ${table} c SET next_due_at = now() + make_interval(secs => CASE WHEN p.turn <= $5 THEN $2
         ELSE least(${PUT_OFF_SECONDS} * 2 ^ c.put_off, ${LONGEST_SECONDS}) + 0.02 * (p.turn - $5) END),
       ${set.join(' ')} put_off = CASE WHEN p.turn <= $5 THEN 0 ELSE least(c.put_off + 1, 12) END
     FROM placed p WHERE p.${id} = c.${id} AND (p.turn > $5 OR p.place <= $1)
     RETURNING c.*, p.turn
   )`;
}

/** What a worker asks for. */
export interface Claim {
  most: number;
  /** Nobody else is given them for so long. */
  leaseSeconds: number;
  /** How many the caller has in hand already, of hosts that it has more of than it may ask at once or that have a line. */
  busy: ReadonlyMap<string, number>;
  mostPerHost: number;
}

/** The parameters of such a claim; `most` is what is given out at once, and who has room for more asks again. */
export const claimParams = (claim: Claim, most: number): unknown[] => [
  Math.min(claim.most, most),
  claim.leaseSeconds,
  [...claim.busy.keys()],
  [...claim.busy.values()],
  claim.mostPerHost,
];
