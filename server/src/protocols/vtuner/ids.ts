import { type Aliases } from '../../core/directory/lookup/by-any-id.ts';
import { type ParsedGuideId, parseGuideId } from '../../lib/guide-id.ts';
import { ReadThrough } from '../../storage/cache/read-through.ts';
import { findAliasOf } from '../../storage/catalog/stations/aliases.ts';
import type { Queryable } from '../../storage/db/pool.ts';

// Ids as these radios keep them: no signs but letters and digits, at most 32 of them.

export const stationId = (id: number): string => `LW${id}`;
export const showId = (id: number): string => `P${id}`;
export const episodeId = (showNumber: number, id: number): string => `P${showNumber}X${id}`;
/** A listener's own address. */
export const savedId = (id: number): string => `U${id}`;

const OWN: readonly [form: RegExp, letter: string][] = [
  [/^(?:lw|s)(\d+)$/, 's'],
  [/^p(\d+)$/, 'p'],
  [/^p\d+x(\d+)$/, 't'],
  [/^u(\d+)$/, 'u'],
];

/** What an id of ours means: a station, show, topic or saved address. */
export function parseOwnId(text: string): ParsedGuideId | undefined {
  const lower = text.trim().toLowerCase();
  for (const [form, letter] of OWN) {
    const [, digits] = form.exec(lower) ?? [];
    if (digits !== undefined) return parseGuideId(letter + digits);
  }
  return undefined;
}

const SCHEME = 'vtuner';
/** As emulators for Frontier radios gave them out: a UUID without its dashes. */
const BARE_UUID = /^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/;

/** Ids that radios remember from the directory they were made for, or from another one after that. */
export class RememberedIds {
  readonly #aliases: Pick<Aliases, 'find'>;
  readonly #numbers: ReadThrough<ParsedGuideId | undefined>;

  constructor(db: Queryable, aliases: Pick<Aliases, 'find'>) {
    this.#aliases = aliases;
    this.#numbers = new ReadThrough({
      load: async (id) => {
        const alias = await findAliasOf(db, SCHEME, id);
        return alias && parseGuideId(`${alias.kind}${alias.item_id}`);
      },
      most: 5000,
      freshMs: 60_000,
      staleMs: 3_600_000,
    });
  }

  async find(text: string): Promise<ParsedGuideId | undefined> {
    const id = text.trim().toLowerCase();
    // Numbers are of the directory that is gone; in other ones they mean something else.
    if (/^\d{1,20}$/.test(id)) return this.#numbers.get(id);
    return this.#aliases.find(id.replace(BARE_UUID, '$1-$2-$3-$4-$5'));
  }
}
