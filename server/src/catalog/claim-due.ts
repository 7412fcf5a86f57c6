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

/** So often a row is put off for as long as its host would take, if it is a quick one. */
const PATIENT = 6;

/**
 * Claims rows that are due, the longest due first, as common table expressions: of `moved`, those with `turn <= $5` are the
 * caller's for `$2` seconds, at most `$1` of them. `$3` and `$4` are hosts and how many of each the caller has in hand,
 * `$5` how many it may have.
 *
 * The claim is the due time itself, moved behind the lease: no job rows to keep, and a worker that dies gives its rows back
 * by doing nothing. A host's rows beyond what may be asked of it at once are put off, each a fiftieth of a second behind
 * the one before, so that the next claim finds others; after a few times twice as long each time, so that a host that has
 * a hundred thousand due does not have them all written down again every ten seconds. The window is a number in the text:
 * with a parameter PostgreSQL plans for a tenth of the table.
 */
export function claimDue({ table, id, isDue, window, whenClaimed = {} }: DueTable): string {
  const set = Object.entries(whenClaimed).map(
    ([column, value]) => `${column} = CASE WHEN p.turn <= $5 THEN ${value} ELSE c.${column} END,`,
  );
  return `WITH due AS (
     SELECT ${id}, host, next_due_at FROM ${table} WHERE ${isDue} AND next_due_at <= now()
     ORDER BY next_due_at LIMIT ${window} FOR UPDATE SKIP LOCKED
   ), turned AS (
     SELECT d.${id}, d.next_due_at, row_number() OVER (PARTITION BY d.host ORDER BY d.next_due_at)
       + coalesce(b.busy, 0) AS turn
     FROM due d LEFT JOIN unnest($3::text[], $4::integer[]) AS b (host, busy) ON b.host = d.host
   ), placed AS (
     SELECT ${id}, turn, row_number() OVER (ORDER BY turn > $5::integer, next_due_at) AS place FROM turned
   ), moved AS (
     UPDATE ${table} c SET next_due_at = now() + make_interval(secs => CASE WHEN p.turn <= $5 THEN $2
         ELSE least(0.02 * (p.turn - $5) * 2 ^ greatest(c.put_off - ${PATIENT}, 0), 600) END),
       ${set.join(' ')} put_off = CASE WHEN p.turn <= $5 THEN c.put_off ELSE least(c.put_off + 1, 12 + ${PATIENT}) END
     FROM placed p WHERE p.${id} = c.${id} AND (p.turn > $5 OR p.place <= $1)
     RETURNING c.*, p.turn
   )`;
}

/** What a worker asks for. */
export interface Claim {
  most: number;
  /** Nobody else is given them for so long. */
  leaseSeconds: number;
  /** How many the caller has in hand already, of hosts that it has more of than it may ask at once. */
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
