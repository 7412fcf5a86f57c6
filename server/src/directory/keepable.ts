import { findShow } from '../catalog/shows.ts';
import { findStation as findStoredStation } from '../catalog/stations.ts';
import type { Queryable } from '../db/pool.ts';
import type { ParsedGuideId } from '../lib/guide-id.ts';
import { findStation } from './by-id.ts';
import type { Directory } from './directory.ts';

/** A station or a show, as it can be kept as a preset. */
export interface Keepable {
  kind: 's' | 'p';
  itemId: number;
  name: string;
}

interface Sources {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
}

/** In the directory, or stored without anything to hear just now. */
export async function findKeepable(
  { letter, number }: ParsedGuideId,
  { directory, db }: Sources,
): Promise<Keepable | undefined> {
  if (letter === 's') {
    const station = findStation(directory.current(), number) ?? (await findStoredStation(db, number));
    return station && { kind: 's', itemId: number, name: station.name };
  }
  const show = letter === 'p' ? await findShow(db, number) : undefined;
  return show && { kind: 'p', itemId: number, name: show.title };
}
