import { Fault } from '../lib/fault.ts';
import { type ParsedGuideId, parseGuideId } from '../lib/guide-id.ts';
import type { Aliases } from './aliases.ts';

/** Gives what an id of ours names; undefined when that is nothing. */
export type FindById<T> = (id: ParsedGuideId) => T | undefined | Promise<T | undefined>;

/**
 * What an id names: as ours first, and when that is nothing, as an id from elsewhere. Undefined when it is neither; a
 * text that is no guide ID at all is a fault then, since it cannot have been one that is gone.
 */
export async function findByAnyId<T>(
  text: string,
  aliases: Pick<Aliases, 'find'>,
  find: FindById<T>,
): Promise<T | undefined> {
  const own = parseGuideId(text);
  const found = own && (await find(own));
  if (found !== undefined) return found;
  const alias = await aliases.find(text);
  if (alias) return find(alias);
  if (!own) {
    throw new Fault(400, 'request.idInvalid', 'Invalid ID: give a letter and a number, such as s123');
  }
  return undefined;
}
