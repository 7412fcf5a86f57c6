import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';

/**
 * `wrong`: two stations, and the import keeps them apart. `known`: two stations that it still joins. `unclear`: who does not hear
 * them cannot tell.
 */
const JUDGEMENTS = ['right', 'wrong', 'known', 'unclear'] as const;

/** Two records that are one station, as somebody judged it who read both. */
interface JudgedMerge {
  /** The record that joined. */
  record: string;
  /** The one it joined: of those that were there before, the one at its address, else the first. */
  joined: string;
  judgement: (typeof JUDGEMENTS)[number];
}

/** A merge to be judged. */
interface DrawnMerge {
  record: string;
  joined: string;
  witness: string;
  /** Both records as a person reads them. */
  text: string;
}

const DRAWN = 300;
const SEED = '2026-11-17';

const LINE = /^(\S+) (\S+) \| (right|wrong|known|unclear) \| .+$/;

/** The judged merges of `merges.txt`; its head says what a line is. */
export function readMerges(): JudgedMerge[] {
  const text = readFileSync(join(import.meta.dirname, 'merges.txt'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, record = '', joined = '', said] = LINE.exec(line) ?? [];
      const judgement = JUDGEMENTS.find((each) => each === said);
      if (!judgement)
        throw new Error(`cannot read this line of merges.txt: "${line}"; its head says what a line is`);
      return { record, joined, judgement };
    });
}

const SAID = (r: string): string =>
  `concat_ws(', ', ${r}.facts ->> 'name', coalesce(${r}.facts ->> 'countryCode', '--'), ${r}.facts ->> 'city', ${r}.facts ->> 'homepageHost',
    left(regexp_replace(${r}.facts #>> '{stream,address}', '^https?://', ''), 90))`;

/**
 * Joined records drawn at random with what they joined. The order is by a digest of the record and a seed, so that a merge that
 * no longer happens is replaced by one other, and the rest of the sample stays.
 */
export async function drawMerges(pool: Pool): Promise<DrawnMerge[]> {
  const { rows } = await pool.query<DrawnMerge>(
    `SELECT r.record, o.record AS joined, r.witness, ${SAID('r')} || ' = ' || ${SAID('o')} AS text
     FROM (SELECT * FROM station_records WHERE witness <> 'first' ORDER BY md5(record || $1) LIMIT ${DRAWN}) AS r
     CROSS JOIN LATERAL (
       SELECT e.record, e.facts FROM station_records e WHERE e.station_id = r.station_id AND e.ordinal < r.ordinal
       ORDER BY e.stream_id <> r.stream_id, e.doubtful, e.ordinal LIMIT 1) AS o
     ORDER BY md5(r.record || $1)`,
    [SEED],
  );
  return rows;
}
