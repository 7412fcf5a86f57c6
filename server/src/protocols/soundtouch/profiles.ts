import type { Directory } from '../../core/directory/directory.ts';
import type { Aliases } from '../../core/directory/lookup/by-any-id.ts';
import { findByOwnOrAlias } from '../../core/directory/lookup/by-any-id.ts';
import { findStation } from '../../core/directory/lookup/lookups.ts';
import type { DirectoryStation } from '../../core/directory/snapshot/snapshot.ts';
import { searchFolder } from '../../core/folders/found-items.ts';
import { wordsForHeader } from '../../core/i18n/locale.ts';
import type { CallerPlaces } from '../../core/places/caller-places.ts';
import type { Finder } from '../../core/search/finder.ts';
import { Fault } from '../../lib/fault.ts';
import { guideId } from '../../lib/guide-id.ts';
import type { FileCall } from '../../net/http/endpoints/file-endpoint.ts';
import { inTime, READ_MS } from '../../storage/cache/in-time.ts';
import { findShow, type ShowRow } from '../../storage/catalog/shows/shows.ts';
import { listTopicsOfShow } from '../../storage/catalog/shows/topics.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { lineOf, logoAddress, searchedText } from './navigate.ts';

export interface ProfilesDeps {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  aliases: Pick<Aliases, 'find'>;
  finder: Finder;
  places?: Pick<CallerPlaces, 'of'> | undefined;
}

const [MAX_FOUND, MAX_TOPICS] = [50, 100];
const FILE = /^([\w:.-]{1,100})(\/contents)?$/;

/** The JSON that TuneIn gives for a search and for what is found: containers of stations and of shows. */
export class Profiles {
  readonly #deps: ProfilesDeps;

  constructor(deps: ProfilesDeps) {
    this.#deps = deps;
  }

  /** `/profiles?fulltextsearch=true&query=jazz`. */
  async search({
    query,
    headers,
    peer: { origin, listenerAddress: callerAddress },
  }: FileCall): Promise<unknown> {
    const text = searchedText(query.get('query') ?? '');
    const words = wordsForHeader(headers['accept-language']);
    const snapshot = this.#deps.directory.current();
    const { items } = await searchFolder({ ...this.#deps, snapshot }, text, {
      offset: 0,
      limit: MAX_FOUND,
      words,
      callerAddress,
    });
    const stations = items.flatMap((item) => (item.kind === 'station' ? [item.station] : []));
    const shows = items.flatMap((item) => (item.kind === 'show' ? [item] : []));
    return {
      Items: [
        container(
          'Stations',
          words.text('browse.allStations'),
          stations.map((station) => stationChild(station, origin)),
        ),
        container(
          'Shows',
          words.text('browse.shows'),
          shows.map(({ id, title }) => ({
            ...child('Program', id, title, '', origin),
            Actions: { Profile: { Url: `${origin}/profiles/${id}`, CanFollow: false } },
          })),
        ),
      ].filter(({ Children }) => Children.length > 0),
      Header: { Title: text },
      Paging: {},
    };
  }

  /** `/profiles/p67`, a show or a station, and `/profiles/p67/contents`, the topics of a show. */
  async describe({ file, peer: { origin } }: FileCall): Promise<unknown> {
    const [, id = '', contents] = FILE.exec(file) ?? [];
    const found = await this.#find(id.toLowerCase());
    if (!found) throw new Fault(404, undefined, 'There is nothing of that id: give p67 or s123');
    if (contents !== undefined)
      return { Items: 'show' in found ? await this.#topics(found.show, origin) : [] };
    if ('station' in found) return { Item: stationChild(found.station, origin) };
    const { id: number, title, hosts } = found.show;
    const showId = guideId('p', number);
    return {
      Item: {
        ...child('Program', showId, title, hosts ?? '', origin),
        Pivots: { Contents: { Url: `${origin}/profiles/${showId}/contents` } },
      },
    };
  }

  async #find(id: string): Promise<{ station: DirectoryStation } | { show: ShowRow } | undefined> {
    const { directory, aliases, db } = this.#deps;
    return findByOwnOrAlias<{ station: DirectoryStation } | { show: ShowRow }>(
      id,
      aliases,
      async ({ letter, number }) => {
        const station = letter === 's' ? findStation(directory.current(), number) : undefined;
        if (station) return { station };
        const show = letter === 'p' ? await inTime(() => findShow(db, number), READ_MS) : undefined;
        return show?.listed === true ? { show } : undefined;
      },
    );
  }

  async #topics({ id, title: show }: ShowRow, origin: string): Promise<unknown[]> {
    const topics = await inTime(() => listTopicsOfShow(this.#deps.db, id, { limit: MAX_TOPICS }), READ_MS);
    const children = topics.map((topic) => ({
      ...child('Topic', guideId('t', topic.id), topic.title, show, origin),
      Image: logoAddress(origin, guideId('p', id)),
    }));
    return children.length === 0 ? [] : [container('Topics', show, children)];
  }
}

interface Container {
  Type: 'Container';
  ContainerType: string;
  Title: string;
  Children: readonly unknown[];
}

const container = (kind: string, title: string, children: readonly object[]): Container => ({
  Type: 'Container',
  ContainerType: kind,
  Title: title,
  Children: children.map((each, index) => ({ Index: index + 1, ...each })),
});

const child = (type: string, id: string, title: string, subtitle: string, origin: string) => ({
  Type: type,
  GuideId: id,
  Title: lineOf(title),
  Subtitle: lineOf(subtitle),
  Image: logoAddress(origin, id),
});

const stationChild = ({ id, name, placeName }: DirectoryStation, origin: string) => {
  const station = guideId('s', id);
  return {
    ...child('Station', station, name, placeName ?? '', origin),
    Actions: {
      Play: { GuideId: station, CanPlay: true, IsLive: true },
      Profile: { Url: `${origin}/profiles/${station}` },
    },
  };
};
