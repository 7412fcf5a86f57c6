import type { Queryable } from '../db/pool.ts';
import { listPartners } from '../members/partners.ts';

const MOST_NAMED = 5;

/** Names the partners that may have been meant. */
export async function noSuchPartner(db: Queryable, id: string): Promise<Error> {
  const partners = await listPartners(db);
  const near = nearIds(
    id,
    partners.map((partner) => partner.id),
  );
  const advice = near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'see longwave partner list';
  return new Error(`there is no partner '${id}'; ${advice}`);
}

/** Ids that one part of is the other, or that differ in a letter or two; the nearest first. */
export function nearIds(given: string, ids: readonly string[]): string[] {
  const wanted = given.toLowerCase();
  return ids
    .map((id) => ({ id, distance: distanceOf(wanted, id.toLowerCase()) }))
    .filter(({ id, distance }) => distance <= 2 && distance < id.length)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, MOST_NAMED)
    .map(({ id }) => id);
}

function distanceOf(a: string, b: string): number {
  if (a.length > 2 && b.length > 2 && (a.includes(b) || b.includes(a))) return a === b ? 0 : 1;
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [index, letter] of Array.from(a).entries()) {
    const next = [index + 1];
    for (let column = 1; column <= b.length; column += 1) {
      const changed = (row[column - 1] ?? 0) + (letter === b[column - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
