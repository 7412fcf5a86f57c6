import type { Pool } from 'pg';
import { cleanFeedAddress } from '../../src/core/cleaning/clean-address.ts';
import { addFeeds } from '../../src/storage/catalog/feeds/feeds.ts';
import { addShows } from '../../src/storage/catalog/shows/shows.ts';
import { type FarmPlace, feedAddress } from './hosts.ts';

const BATCH = 1000;

/** The farm's feeds as a list names them, unread; ids of their shows by the feeds' numbers. */
export async function listFarm(pool: Pool, place: FarmPlace): Promise<number[]> {
  const ids: number[] = [];
  for (let start = 0; start < place.feeds; start += BATCH) {
    const shows = Array.from({ length: Math.min(BATCH, place.feeds - start) }, (_none, index) =>
      listed(start + index, place),
    );
    const byKey = await addShows(pool, shows);
    ids.push(...shows.map(({ feedKey }) => byKey.get(feedKey) ?? 0));
    await addFeeds(pool, [...byKey.values()]);
  }
  return ids;
}

function listed(number: number, place: FarmPlace): { title: string; feedAddress: string; feedKey: string } {
  const clean = cleanFeedAddress(feedAddress(number, place));
  if ('refused' in clean) throw new Error(clean.refused);
  return { title: `Listed ${number}`, feedAddress: clean.address, feedKey: clean.key };
}
