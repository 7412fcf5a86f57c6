import type { Pool } from 'pg';
import { keysUntil } from './content.ts';
import { kindOf } from './kinds.ts';

const SHOW_BATCH = 500;

/** How the topics in the database differ from what the farm has told; a line for each feed. */
export interface Difference {
  lost: string[];
  unheardOf: string[];
  /** Topics of which there are two with the same sound in one show. */
  twice: string[];
}

/** `showIds` are the ids of the shows by the numbers of their feeds. */
export async function differenceAfter(
  pool: Pool,
  showIds: readonly number[],
  round: number,
): Promise<Difference> {
  const difference: Difference = { lost: [], unheardOf: [], twice: [] };
  for (let start = 0; start < showIds.length; start += SHOW_BATCH) {
    const ids = showIds.slice(start, start + SHOW_BATCH);
    const { rows } = await pool.query<{ show_id: number; keys: string[]; addresses: string[] }>(
      `SELECT show_id, array_agg(topic_key::text) AS keys, array_agg(address) AS addresses FROM topics
       WHERE show_id = ANY ($1) GROUP BY show_id`,
      [ids],
    );
    const byShow = new Map(rows.map((row) => [row.show_id, row]));
    for (const [index, id] of ids.entries())
      compare(start + index, byShow.get(id) ?? { keys: [], addresses: [] }, round, difference);
  }
  return difference;
}

function compare(
  number: number,
  { keys, addresses }: { keys: readonly string[]; addresses: readonly string[] },
  round: number,
  difference: Difference,
): void {
  const told = keysUntil(number, round);
  const [savedKeys, publishedKeys] = [new Set(keys), new Set(told)];
  const found = {
    lost: told.filter((key) => !savedKeys.has(key)).length,
    unheardOf: keys.filter((key) => !publishedKeys.has(key)).length,
    twice: addresses.length - new Set(addresses).size,
  };
  for (const flaw of ['lost', 'unheardOf', 'twice'] as const)
    if (found[flaw] > 0)
      difference[flaw].push(`${found[flaw]} of ${told.length} of feed ${number} (${kindOf(number)})`);
}

/**
 * A mark for each show that changes when any row of what listeners see of it is written: the show, its topics, its
 * newest topic, its picture, what it is found by. A row has another place or another writer then.
 */
export async function marksOf(pool: Pool, showIds: readonly number[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: number; mark: string }>(
    `SELECT id, md5(string_agg(place, ',' ORDER BY place)) AS mark FROM (
       SELECT id, format('s %s %s', ctid, xmin) AS place FROM shows
       UNION ALL SELECT show_id, format('%s %s %s', tableoid, ctid, xmin) FROM topics
       UNION ALL SELECT show_id, format('n %s %s', ctid, xmin) FROM newest_topics
       UNION ALL SELECT item_id, format('i %s %s', ctid, xmin) FROM images WHERE kind = 'p'
       UNION ALL SELECT item_id, format('d %s %s', ctid, xmin) FROM search_documents WHERE kind = 'p'
     ) AS written WHERE id = ANY ($1) GROUP BY id`,
    [showIds],
  );
  const byShow = new Map(rows.map(({ id, mark }) => [id, mark]));
  return showIds.map((id) => byShow.get(id) ?? '');
}
