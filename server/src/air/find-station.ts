import type { Aliases } from '../directory/aliases.ts';
import { findByAnyId } from '../directory/by-any-id.ts';
import { findStation } from '../directory/by-id.ts';
import type { Directory } from '../directory/directory.ts';
import type { DirectoryStation } from '../directory/snapshot.ts';
import { Fault } from '../lib/fault.ts';

export interface StationSources {
  directory: Pick<Directory, 'current'>;
  aliases: Pick<Aliases, 'find'>;
}

/** By our id, by one from elsewhere that was told to us, or by the bare number that some encoders want. */
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
    throw new Fault(400, 'request.idInvalid', 'There is no such station; give an s and its number as id');
  return station;
}
