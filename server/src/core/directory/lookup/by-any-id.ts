import { Fault } from '../../../lib/fault.ts';
import { guideId, type ParsedGuideId, parseGuideId } from '../../../lib/guide-id.ts';
import { mapSync } from '../../../storage/cache/cached.ts';
import { ReadThrough } from '../../../storage/cache/read-through.ts';
import { findShow } from '../../../storage/catalog/shows/shows.ts';
import { findAliasAnywhere } from '../../../storage/catalog/stations/aliases.ts';
import { findStationRow as findStoredStation } from '../../../storage/catalog/stations/stations.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import type { Directory } from '../directory.ts';
import { findStation } from './lookups.ts';

/** Finds the item with one of our ids, if it exists. */
export type FindById<T> = (id: ParsedGuideId) => T | undefined | Promise<T | undefined>;

/** What an id means: the item with our id, else the one that an id from another directory leads to. */
export function findByOwnOrAlias<T>(
  text: string,
  aliases: Pick<Aliases, 'find'>,
  find: FindById<T>,
): T | undefined | Promise<T | undefined> {
  const own = parseGuideId(text);
  // Without waiting for what is in memory: half of all calls.
  return mapSync(own && find(own), (found) => found ?? findByAlias(text, aliases, find));
}

async function findByAlias<T>(
  text: string,
  aliases: Pick<Aliases, 'find'>,
  find: FindById<T>,
): Promise<T | undefined> {
  const alias = await aliases.find(text);
  return alias && find(alias);
}

/** The same for calls that refuse text which is no id at all, since it cannot be the id of a removed item. */
export async function findByAnyId<T>(
  text: string,
  aliases: Pick<Aliases, 'find'>,
  find: FindById<T>,
): Promise<T | undefined> {
  const found = await findByOwnOrAlias(text, aliases, find);
  if (found === undefined && !parseGuideId(text))
    throw new Fault(400, 'request.idInvalid', 'Invalid ID: give a letter and a number, such as s123');
  return found;
}

/** The form of ids in other directories: guide IDs, UUIDs, short words. Anything else is not worth a query. */
const FOREIGN_ID = /^[\w.:-]{1,100}$/;
export const canBeForeignId = (text: string): boolean => FOREIGN_ID.test(text);

/**
 * Maps ids from other directories to ours. Queried only for ids that are unknown here: a radio's buttons store the ids
 * of the directory it was made for, and those with a known alias still find their station.
 */
export class Aliases {
  readonly #known: ReadThrough<ParsedGuideId | undefined>;

  constructor(db: Queryable) {
    this.#known = new ReadThrough({
      load: async (id) => {
        const alias = await findAliasAnywhere(db, id);
        return alias && parseGuideId(`${alias.kind}${alias.item_id}`);
      },
      most: 20_000,
      freshMs: 60_000,
      staleMs: 3_600_000,
    });
  }

  async find(foreignId: string): Promise<ParsedGuideId | undefined> {
    return canBeForeignId(foreignId) ? this.#known.get(foreignId) : undefined;
  }

  /** Our id when the given one is an alias, else the id unchanged. */
  async translate(id: string): Promise<string> {
    const found = await this.find(id);
    return found ? guideId(found.letter, found.number) : id;
  }
}

/** A station or show that can be saved as a preset. */
interface PresetTarget {
  kind: 's' | 'p';
  itemId: number;
  name: string;
}

interface Sources {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
}

/** From the directory, or from the database when it has nothing to play at the moment. */
export async function findPresetTarget(
  { letter, number }: ParsedGuideId,
  { directory, db }: Sources,
): Promise<PresetTarget | undefined> {
  if (letter === 's') {
    const station = findStation(directory.current(), number) ?? (await findStoredStation(db, number));
    return station && { kind: 's', itemId: station.id, name: station.name };
  }
  const show = letter === 'p' ? await findShow(db, number) : undefined;
  return show && { kind: 'p', itemId: number, name: show.title };
}
