import type { Directory } from '../directory/directory.ts';
import { type Aliases, findByAnyId } from '../directory/lookup/by-any-id.ts';
import { findStation } from '../directory/lookup/lookups.ts';
import type { DirectoryStation } from '../directory/snapshot/snapshot.ts';
import { Fault } from '../../lib/fault.ts';

export interface StationSources {
  directory: Pick<Directory, 'current'>;
  aliases: Pick<Aliases, 'find'>;
}

/** By our id, by a known id from another directory, or by the bare number that some encoders require. */
export async function getStation(
  { directory, aliases }: StationSources,
  text: string,
): Promise<DirectoryStation> {
  const snapshot = directory.current();
  const id = /^\d+$/.test(text) ? `s${text}` : text;
  const station = await findByAnyId(id, aliases, ({ letter, number }) =>
    letter === 's' ? findStation(snapshot, number) : undefined,
  );
  if (!station)
    throw new Fault(
      400,
      'request.idInvalid',
      'There is no such station; give its guide ID as id, such as s123',
    );
  return station;
}
