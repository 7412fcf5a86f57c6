import { type Aliases, findByOwnOrAlias } from '../../../core/directory/lookup/by-any-id.ts';
import type { CallerPlaces } from '../../../core/places/caller-places.ts';
import { cellAround } from '../../../core/places/map-cell.ts';
import type { Coordinate } from '../../../lib/geo.ts';
import { guideId, type ParsedGuideId, parseGuideId } from '../../../lib/guide-id.ts';
import type { Caller } from '../call/caller.ts';
import type { Answer, Call, MoreWatched } from '../call/endpoint.ts';
import { mapSync } from '../../../storage/cache/cached.ts';
import { genreOfCategory } from './categories.ts';
import { genreName } from './item-links.ts';
import { type NewestTopics, newestTopicsMenu } from './newest-topics-menu.ts';
import { isBrowsable, pureMenuOf } from './pure-menus.ts';
import {
  type BrowseRequest,
  readRequest,
  type RequestSources,
  unknownCategory,
  unknownId,
} from './request.ts';
import { showPage, showQuery, withShowGenres } from './show-list.ts';
import type { ShowMenus } from './show-menu.ts';
import type { ShowPages } from './show-pages.ts';

export interface ByIdDeps extends RequestSources {
  aliases: Pick<Aliases, 'find'>;
  showPages: ShowPages;
  showMenus: ShowMenus;
  newestTopics: NewestTopics;
  places: Places;
}

type MaybeLater<T> = T | Promise<T>;

/** The menu of an item: without waiting if it is in memory. An unknown id may be an alias from another directory. */
export class BrowseById {
  readonly #deps: ByIdDeps;

  constructor(deps: ByIdDeps) {
    this.#deps = deps;
  }

  menu(call: Call, text = call.params.text('id') ?? ''): MaybeLater<Answer> {
    const found = findByOwnOrAlias(text, this.#deps.aliases, (id) => this.#open(call, id));
    return mapSync(found, (answer) => answer ?? refuse(text));
  }

  #open(call: Call, id: ParsedGuideId): MaybeLater<Answer | undefined> {
    const request = readRequest(call, this.#deps);
    const { letter, number } = id;
    if (letter === 'p') return this.#deps.showMenus.menu(request, number);
    const genreId = letter === 'c' ? genreOfCategory(request.snapshot, number) : number;
    const isGenre = (letter === 'c' || letter === 'g') && genreId !== undefined;
    if (isGenre) return this.#openGenre(call, request, genreId);
    if (letter !== 'c') return pureMenuOf(request, id);
    return withShowGenres(request, this.#deps.showPages, (asked) => pureMenuOf(asked, id));
  }

  /** A genre also shows stations near the caller, and shows. */
  #openGenre({ caller }: Call, request: BrowseRequest, number: number): MaybeLater<Answer | undefined> {
    const { filter, offset, pivot, snapshot } = request;
    const id = { letter: 'g', number } as const;
    if (filter.topics && filter.kind !== 's') return this.#topicsOf(request, number);
    if (filter.kind === 'p') return this.#showsOf(request, number);
    if (!snapshot.genreById.has(number) || filter.kind === 's' || offset > 0 || pivot)
      return pureMenuOf(request, id);
    const { showPages, places } = this.#deps;
    const query = showQuery(request, number);
    const cell = this.#cellOf(caller);
    return mapSync(showPages.cached(query), (shows) =>
      mapSync(cell, (place) => {
        const more = { isSame: showPages.watch(query, shows), isNear: isNear(places, place) };
        return pureMenuOf({ ...request, shows, place, more }, id);
      }),
    );
  }

  #cellOf(caller: Caller): MaybeLater<Coordinate | undefined> {
    if (caller.cell !== undefined) return caller.cell ?? undefined;
    return cellOf(this.#deps.places, caller);
  }

  async #showsOf(request: BrowseRequest, id: number): Promise<Answer | undefined> {
    const genre = request.snapshot.genreById.get(id);
    if (!genre) return undefined;
    const page = await this.#deps.showPages.get(showQuery(request, id));
    return showPage(request, { params: [['id', guideId('g', id)]], name: genreName(request, genre) }, page);
  }

  async #topicsOf(request: BrowseRequest, id: number): Promise<Answer | undefined> {
    const genre = request.snapshot.genreById.get(id);
    if (!genre) return undefined;
    return newestTopicsMenu(request, genre, await this.#deps.newestTopics.get(request, genre));
  }
}

type Places = Pick<CallerPlaces, 'of'>;

const cellOf = (places: Places, caller: Parameters<Places['of']>[0]): MaybeLater<Coordinate | undefined> =>
  mapSync(places.of(caller), (known) => known?.coordinate && cellAround(known.coordinate));

/** Apart from the request, which holds a directory. */
const isNear =
  (places: Places, here: Coordinate | undefined): MoreWatched['isNear'] =>
  (geoIp) => {
    const cell = cellOf(places, { latlon: undefined, username: undefined, geoIp });
    if (cell instanceof Promise) return false;
    return cell?.latitude === here?.latitude && cell?.longitude === here?.longitude;
  };

function refuse(text: string): never {
  const letter = parseGuideId(text)?.letter;
  if (letter === 'c') throw unknownCategory();
  throw unknownId(
    letter && isBrowsable(letter)
      ? 'there is no such item'
      : 'give a station (s), show (p), genre (g), place (r) or country (n)',
  );
}
