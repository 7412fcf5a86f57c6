import { ReadThrough } from '../cache/read-through.ts';
import { findAliasAnywhere } from '../catalog/aliases.ts';
import type { Queryable } from '../db/pool.ts';
import { type ParsedGuideId, guideId, parseGuideId } from '../lib/guide-id.ts';

/** What ids look like in other directories: guide IDs, UUIDs, short words. Others are not worth a question. */
const FOREIGN_ID = /^[\w.:-]{1,100}$/;

/**
 * Where ids from elsewhere lead. Asked only for an id that is unknown here: a radio's buttons hold the ids of the
 * directory it was made for, and those that somebody has told us about still find their station.
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
    return FOREIGN_ID.test(foreignId) ? this.#known.get(foreignId) : undefined;
  }

  /** The id as ours when it is an alias, else as it was. */
  async translate(id: string): Promise<string> {
    const found = await this.find(id);
    return found ? guideId(found.letter, found.number) : id;
  }
}
