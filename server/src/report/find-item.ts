import { findStation as findStoredStation } from '../catalog/stations.ts';
import { findShow } from '../catalog/shows.ts';
import { findTopic } from '../catalog/topics.ts';
import { findByAnyId } from '../directory/by-any-id.ts';
import { findStation, findStationOfStream } from '../directory/by-id.ts';
import { Fault } from '../lib/fault.ts';
import type { ParsedGuideId } from '../lib/guide-id.ts';
import type { Desk } from './needs.ts';

/** What can be reported: a station, one of its streams, a show, a topic. Undefined when the id names none. */
export const findItem = (text: string, desk: Desk): Promise<ParsedGuideId | undefined> =>
  findByAnyId<ParsedGuideId>(text, desk.aliases, async (id) => ((await isKnown(id, desk)) ? id : undefined));

export async function getItem(text: string, desk: Desk): Promise<ParsedGuideId> {
  const item = await findItem(text, desk);
  if (!item) throw unknownItem();
  return item;
}

const unknownItem = (): Fault =>
  new Fault(
    400,
    'request.idInvalid',
    'Invalid ID: nothing here has it; give the id of a station (s…), a stream (e…), a show (p…) or a topic (t…)',
  );

/** A station that is kept but not listed can be reported too: that may be what is wrong with it. */
async function isKnown({ letter, number }: ParsedGuideId, { db, directory }: Desk): Promise<boolean> {
  const snapshot = directory.current();
  if (letter === 's')
    return (findStation(snapshot, number) ?? (await findStoredStation(db, number))) !== undefined;
  if (letter === 'e') return findStationOfStream(snapshot, number) !== undefined;
  if (letter === 'p') return (await findShow(db, number)) !== undefined;
  return letter === 't' && (await findTopic(db, number)) !== undefined;
}
