import type { Aliases } from '../directory/aliases.ts';
import type { Snapshot } from '../directory/snapshot.ts';
import { type ParsedGuideId, parseGuideId } from '../lib/guide-id.ts';
import type { Hit } from './find.ts';
import type { Finder, Found } from './finder.ts';
import { keyOfAddress } from './stream-address.ts';

/** Above whatever words can reach. */
const SURE = 1_000_000;
const NOTHING: Found = { stations: [], shows: [] };
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** What a guide ID typed as a query names, ours or one from elsewhere. */
export async function itemOfId(
  text: string,
  snapshot: Snapshot,
  finder: Finder,
  aliases: Pick<Aliases, 'find'>,
): Promise<Found> {
  const own = parseGuideId(text.toLowerCase());
  if (!own && !UUID.test(text)) return NOTHING;
  const found = own && (await itemOf(own, snapshot, finder));
  if (found) return found;
  const alias = await aliases.find(text);
  return (alias && (await itemOf(alias, snapshot, finder))) ?? NOTHING;
}

async function itemOf(
  { letter, number }: ParsedGuideId,
  snapshot: Snapshot,
  finder: Finder,
): Promise<Found | undefined> {
  if (letter === 's' && snapshot.stationById.has(number)) return { ...NOTHING, stations: sure([number]) };
  const show = letter === 'p' ? await finder.showOfId(number) : undefined;
  return show && { ...NOTHING, shows: [{ show, score: SURE }] };
}

/** The stations that can be heard at a stream's address. */
export async function stationsAt(address: string, finder: Finder): Promise<Found> {
  const key = keyOfAddress(address);
  return { ...NOTHING, stations: key === undefined ? [] : sure(await finder.stationsAt(key)) };
}

const sure = (ids: readonly number[]): Hit[] => ids.map((id) => ({ id, score: SURE }));
