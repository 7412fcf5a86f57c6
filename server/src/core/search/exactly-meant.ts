import { type ParsedGuideId, parseGuideId } from '../../lib/guide-id.ts';
import { type Aliases, findByOwnOrAlias } from '../directory/lookup/by-any-id.ts';
import { findStation } from '../directory/lookup/lookups.ts';
import { keyOfAddress } from '../cleaning/clean-address.ts';
import type { Snapshot } from '../directory/snapshot/snapshot.ts';
import type { Hit } from './find.ts';
import type { Finder, SearchResults } from './finder.ts';

/** Higher than any score by words. */
const SURE = 1_000_000;
const NOTHING: SearchResults = { stations: [], shows: [] };
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The item that a guide ID typed as a query names, ours or from another directory. */
export async function itemOfId(
  text: string,
  snapshot: Snapshot,
  finder: Finder,
  aliases: Pick<Aliases, 'find'>,
): Promise<SearchResults> {
  const id = text.toLowerCase();
  const isId = UUID.test(id) || parseGuideId(id) !== undefined;
  const found = isId && (await findByOwnOrAlias(id, aliases, (known) => itemOf(known, snapshot, finder)));
  return found || NOTHING;
}

async function itemOf(
  { letter, number }: ParsedGuideId,
  snapshot: Snapshot,
  finder: Finder,
): Promise<SearchResults | undefined> {
  const station = letter === 's' ? findStation(snapshot, number) : undefined;
  if (station) return { ...NOTHING, stations: sure([station.id]) };
  const show = letter === 'p' ? await finder.showOfId(number) : undefined;
  return show && { ...NOTHING, shows: [{ show, score: SURE }] };
}

/** The stations with a stream at this address. */
export async function stationsAt(address: string, finder: Finder): Promise<SearchResults> {
  const key = keyOfAddress(address);
  return { ...NOTHING, stations: key === undefined ? [] : sure(await finder.stationsAt(key)) };
}

const sure = (ids: readonly number[]): Hit[] => ids.map((id) => ({ id, score: SURE }));
