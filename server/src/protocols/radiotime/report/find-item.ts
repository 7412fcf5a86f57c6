import { findByAnyId } from '../../../core/directory/lookup/by-any-id.ts';
import { findStation, findStationOfStream } from '../../../core/directory/lookup/lookups.ts';
import { Fault } from '../../../lib/fault.ts';
import type { ParsedGuideId } from '../../../lib/guide-id.ts';
import { findShow } from '../../../storage/catalog/shows/shows.ts';
import { findTopic } from '../../../storage/catalog/shows/topics.ts';
import { findStationRow as findStoredStation } from '../../../storage/catalog/stations/stations.ts';
import type { ReportContext } from './deps.ts';

/** The reported item: a station, one of its streams, a show or a topic. Undefined for an unknown id. */
export const findItem = (text: string, context: ReportContext): Promise<ParsedGuideId | undefined> =>
  findByAnyId<ParsedGuideId>(text, context.aliases, (id) => findKnown(id, context));

export async function getItem(text: string, context: ReportContext): Promise<ParsedGuideId> {
  const item = await findItem(text, context);
  if (!item) throw unknownItem();
  return item;
}

const unknownItem = (): Fault =>
  new Fault(
    400,
    'request.idInvalid',
    'Invalid ID: it does not exist here; give the id of a station (s…), a stream (e…), a show (p…) or a topic (t…)',
  );

/** Unlisted stations can be reported too: being unlisted may be the problem. */
async function findKnown(
  item: ParsedGuideId,
  { db, directory }: ReportContext,
): Promise<ParsedGuideId | undefined> {
  const { letter, number } = item;
  const snapshot = directory.current();
  if (letter === 's') {
    const station = findStation(snapshot, number) ?? (await findStoredStation(db, number));
    return station && { letter, number: station.id };
  }
  const isKnown =
    (letter === 'e' && findStationOfStream(snapshot, number) !== undefined) ||
    (letter === 'p' && (await findShow(db, number)) !== undefined) ||
    (letter === 't' && (await findTopic(db, number)) !== undefined);
  return isKnown ? item : undefined;
}
