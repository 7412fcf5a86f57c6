import { keyOfAddress } from '../../../core/cleaning/clean-address.ts';
import { findStation, findStationOfStream } from '../../../core/directory/lookup/lookups.ts';
import type { DirectoryStation } from '../../../core/directory/snapshot/snapshot.ts';
import type { ParsedGuideId } from '../../../lib/guide-id.ts';
import { findStreamByAddress } from '../../../storage/catalog/streams/streams.ts';
import type { Call } from '../call/endpoint.ts';
import type { ReportContext } from './deps.ts';

export interface Named {
  item: ParsedGuideId | undefined;
  address: string | undefined;
}

/**
 * The reported stream: by address, else by id; for a station the first one this caller is given. Undefined when the
 * address is not ours, because then the report is about no stream of ours.
 */
export async function findStream(
  call: Call,
  { item, address }: Named,
  context: ReportContext,
): Promise<number | undefined> {
  const station = item && stationOf(item, context);
  if (address !== undefined) return streamOfAddress(address, station, context);
  if (item?.letter === 'e') return item.number;
  return station && context.firstStream(call, station);
}

function stationOf(
  { letter, number }: ParsedGuideId,
  { directory }: ReportContext,
): DirectoryStation | undefined {
  const snapshot = directory.current();
  if (letter === 'e') return findStationOfStream(snapshot, number);
  return letter === 's' ? findStation(snapshot, number) : undefined;
}

/** Searches the station's own streams first, which are in memory; a radio reports the address it was sent to. */
async function streamOfAddress(
  address: string,
  station: DirectoryStation | undefined,
  { db, streamBoard }: ReportContext,
): Promise<number | undefined> {
  const own = station?.streams
    .map((stream) => streamBoard?.latest(stream) ?? stream)
    .find((stream) => stream.address === address || stream.resolvedAddress === address);
  if (own) return own.id;
  const found = await findStreamByAddress(db, keyOfAddress(address), address);
  return found?.id;
}
