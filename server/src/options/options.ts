import type { Queryable } from '../db/pool.ts';
import type { Aliases } from '../directory/aliases.ts';
import { findByAnyId } from '../directory/by-any-id.ts';
import { findStation } from '../directory/by-id.ts';
import type { Directory } from '../directory/directory.ts';
import { ReadThrough } from '../cache/read-through.ts';
import { findShow } from '../catalog/shows.ts';
import type { Action, Endpoint } from '../http/endpoint.ts';
import type { Outline } from '../opml/document.ts';
import { showOptions, stationOptions } from '../opml/option-outlines.ts';

export interface OptionsNeeds {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  aliases: Pick<Aliases, 'find'>;
}

/** What a radio offers beside playing: what is on, what is alike, which stream. Nothing for what is not here. */
export function options({ directory, db, aliases }: OptionsNeeds): Endpoint {
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
    return { title: words.text('options.title'), outlines: outlines ?? [] };
  };
  return { paths: ['/Options.ashx'], actions: new Map([['', menu]]) };
}
