import type { Directory } from '../../../core/directory/directory.ts';
import { type Aliases, findByAnyId } from '../../../core/directory/lookup/by-any-id.ts';
import { findStation } from '../../../core/directory/lookup/lookups.ts';
import type { Outline } from '../../../formats/opml/document.ts';
import { ReadThrough } from '../../../storage/cache/read-through.ts';
import { findShow } from '../../../storage/catalog/shows/shows.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import type { Action, Endpoint } from '../call/endpoint.ts';
import { showOptions, stationOptions } from '../outlines/option-outlines.ts';

export interface OptionsDeps {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  aliases: Pick<Aliases, 'find'>;
}

/** A radio's context menu: what is on, similar stations, which stream. Empty for an unknown id. */
export function options({ directory, db, aliases }: OptionsDeps): Endpoint {
  const isShow = new ReadThrough({
    load: async (id) => (await findShow(db, Number(id)))?.listed === true,
    most: 10_000,
    freshMs: 60_000,
    staleMs: 6 * 3_600_000,
  });
  const menu: Action = async ({ params, caller: { words } }) => {
    const snapshot = directory.current();
    const text = params.required('id', (id) => id);
    const outlines = await findByAnyId<Outline[]>(text, aliases, async ({ letter, number }) => {
      if (letter === 's') return findStation(snapshot, number) && stationOptions(number, words);
      return letter === 'p' && (await isShow.get(String(number))) ? showOptions(number, words) : undefined;
    });
    return { title: words.text('menu.options'), outlines: outlines ?? [] };
  };
  return { paths: ['/Options.ashx'], actions: new Map([['', menu]]) };
}
