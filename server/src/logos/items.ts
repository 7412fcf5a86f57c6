import { ReadThrough } from '../cache/read-through.ts';
import { findShow } from '../catalog/shows.ts';
import type { Queryable } from '../db/pool.ts';
import type { Aliases } from '../directory/aliases.ts';
import { findByAnyId } from '../directory/by-any-id.ts';
import { findStation } from '../directory/by-id.ts';
import type { Directory } from '../directory/directory.ts';
import { type ParsedGuideId, numberOf } from '../lib/guide-id.ts';

export interface ItemNeeds {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  aliases: Pick<Aliases, 'find'>;
}

/** Something with a name, and perhaps a picture. */
export interface LogoItem {
  id: ParsedGuideId;
  name: string;
  /** Whether there is, or may come to be, a picture of it. */
  hasImage: boolean;
}

const KEPT = { most: 20_000, freshMs: 3_600_000, staleMs: 24 * 3_600_000 };
/** Of other kinds of items neither names nor pictures are shown. */
const NAMED = /^[sp]/;

/** Stations and shows by their ids, or by those that other directories gave them. */
export class LogoItems {
  readonly #needs: ItemNeeds;
  readonly #titles: ReadThrough<string | undefined>;

  constructor(needs: ItemNeeds) {
    this.#needs = needs;
    this.#titles = new ReadThrough({
      load: async (number) => (await findShow(needs.db, Number(number)))?.title,
      ...KEPT,
    });
  }

  async find(id: string): Promise<LogoItem | undefined> {
    return NAMED.test(id) ? findByAnyId(id, this.#needs.aliases, (own) => this.#find(own)) : undefined;
  }

  /** The name as far as it is known without asking the database. */
  nameAtHand(id: string): string {
    const [station, show] = [numberOf('s', id), numberOf('p', id)];
    if (station !== undefined) return findStation(this.#needs.directory.current(), station)?.name ?? '';
    return (show !== undefined ? this.#titles.peek(String(show)) : undefined) ?? '';
  }

  async #find(id: ParsedGuideId): Promise<LogoItem | undefined> {
    if (id.letter === 's') {
      const station = findStation(this.#needs.directory.current(), id.number);
      return station && { id, name: station.name, hasImage: station.hasLogo };
    }
    const title = id.letter === 'p' ? await this.#titles.get(String(id.number)) : undefined;
    return title === undefined ? undefined : { id, name: title, hasImage: true };
  }
}
