import { findStreamByAddress } from '../catalog/stream-by-address.ts';
import { findStation, findStationOfStream } from '../directory/by-id.ts';
import type { DirectoryStation } from '../directory/snapshot.ts';
import type { Call } from '../http/endpoint.ts';
import { addressKey, cleanAddress } from '../intake/clean-address.ts';
import type { ParsedGuideId } from '../lib/guide-id.ts';
import type { Desk } from './needs.ts';

export interface Named {
  item: ParsedGuideId | undefined;
  address: string | undefined;
}

/**
 * The stream that is meant: the one of the address, else the one of the id; of a station the one that this caller is
 * given first. Undefined when the address is none of ours, for then it is no word about any other.
 */
export async function findStream(
  call: Call,
  { item, address }: Named,
  desk: Desk,
): Promise<number | undefined> {
  const station = item && stationOf(item, desk);
  if (address !== undefined) return streamOfAddress(address, station, desk);
  if (item?.letter === 'e') return item.number;
  return station && desk.firstStream(call, station);
}

function stationOf({ letter, number }: ParsedGuideId, { directory }: Desk): DirectoryStation | undefined {
  const snapshot = directory.current();
  if (letter === 'e') return findStationOfStream(snapshot, number);
  return letter === 's' ? findStation(snapshot, number) : undefined;
}

/** Among the station's own first, which are in memory; a radio names the address it was sent to. */
async function streamOfAddress(
  address: string,
  station: DirectoryStation | undefined,
  { db, streamBoard }: Desk,
): Promise<number | undefined> {
  const own = station?.streams
    .map((stream) => streamBoard?.told(stream) ?? stream)
    .find((stream) => stream.address === address || stream.resolvedAddress === address);
  if (own) return own.id;
  const found = await findStreamByAddress(db, keyOf(address), address);
  return found?.id;
}

function keyOf(address: string): string | undefined {
  const cleaned = cleanAddress(address);
  return 'refused' in cleaned ? undefined : addressKey(cleaned.key);
}
