import type { Aliases } from '../directory/aliases.ts';
import type { Answer, Call } from '../http/endpoint.ts';
import type { Coordinate } from '../lib/geo.ts';
import { type ParsedGuideId, guideId, parseGuideId } from '../lib/guide-id.ts';
import { whenThere } from './at-hand.ts';
import { type PlaceSources, placeOf } from './caller-place.ts';
import { genreOfCategory } from './categories.ts';
import { unknownCategory, unknownId } from './faults.ts';
import { isBrowsable, pureMenuOf } from './pure-menus.ts';
import { type BrowseRequest, type RequestSources, readRequest } from './request.ts';
import { genreName } from './item-links.ts';
import { type NewestTopics, newestTopicsMenu } from './newest-topics-menu.ts';
import { showPage, showQuery } from './show-list.ts';
import type { ShowMenus } from './show-menu.ts';
import type { ShowPages } from './show-pages.ts';

export interface ByIdNeeds extends RequestSources {
  aliases: Pick<Aliases, 'find'>;
  showPages: ShowPages;
  showMenus: ShowMenus;
  newestTopics: NewestTopics;
  places: PlaceSources;
}

type MaybeLater<T> = T | Promise<T>;

/** The menu of an item by its id: at once for what is in memory. An id that names nothing here may be from elsewhere. */
export class BrowseById {
  readonly #needs: ByIdNeeds;

  constructor(needs: ByIdNeeds) {
    this.#needs = needs;
  }

  menu(call: Call, text = call.params.text('id') ?? ''): MaybeLater<Answer> {
    const own = parseGuideId(text);
    const found = own && this.#open(call, own);
    return whenThere(found, (answer) => answer ?? this.#byAlias(call, text, own));
  }

  async #byAlias(call: Call, text: string, own: ParsedGuideId | undefined): Promise<Answer> {
    const alias = await this.#needs.aliases.find(text);
    const answer = alias && (await this.#open(call, alias));
    if (answer) return answer;
    if (own?.letter === 'c') throw unknownCategory();
    throw unknownId(
      own && isBrowsable(own.letter)
        ? 'there is no such item'
        : 'give a station (s), show (p), genre (g), place (r) or country (n)',
    );
  }

  #open(call: Call, id: ParsedGuideId): MaybeLater<Answer | undefined> {
    const request = readRequest(call, this.#needs);
    const { letter, number } = id;
    if (letter === 'p') return this.#needs.showMenus.menu(request, number);
    const genreId = letter === 'c' ? genreOfCategory(request.snapshot, number) : number;
    const isGenre = (letter === 'c' || letter === 'g') && genreId !== undefined;
    return isGenre ? this.#openGenre(call, request, genreId) : pureMenuOf(request, id);
  }

  /** Beside its stations a genre has shows, and stations near the caller. */
  #openGenre({ caller }: Call, request: BrowseRequest, number: number): MaybeLater<Answer | undefined> {
    const { filter, offset, pivot, snapshot } = request;
    const id = { letter: 'g', number } as const;
    if (filter.topics && filter.kind !== 's') return this.#topicsOf(request, number);
    if (filter.kind === 'p') return this.#showsOf(request, number);
    if (!snapshot.genreById.has(number) || filter.kind === 's' || offset > 0 || pivot)
      return pureMenuOf(request, id);
    const shows = this.#needs.showPages.atHand(showQuery(request, number));
    const place = placeOf(caller, this.#needs.places);
    return whenThere(shows, (page) =>
      whenThere(place, (known) =>
        pureMenuOf({ ...request, shows: page, place: known?.coordinate && aboutHere(known.coordinate) }, id),
      ),
    );
  }

  async #showsOf(request: BrowseRequest, id: number): Promise<Answer | undefined> {
    const genre = request.snapshot.genreById.get(id);
    if (!genre) return undefined;
    const page = await this.#needs.showPages.get(showQuery(request, id));
    return showPage(request, { params: [['id', guideId('g', id)]], name: genreName(request, genre) }, page);
  }

  async #topicsOf(request: BrowseRequest, id: number): Promise<Answer | undefined> {
    const genre = request.snapshot.genreById.get(id);
    if (!genre) return undefined;
    return newestTopicsMenu(request, genre, await this.#needs.newestTopics.get(request, genre));
  }
}

const CELLS_A_DEGREE = 4;

/** The middle of a cell of some 25 km: near enough for a taste of what is near, and one menu for all who stand in it. */
const aboutHere = ({ latitude, longitude }: Coordinate): Coordinate => ({
  latitude: middleOfCell(latitude),
  longitude: middleOfCell(longitude),
});

const middleOfCell = (degrees: number): number =>
  (Math.min(Math.floor(degrees * CELLS_A_DEGREE), 180 * CELLS_A_DEGREE - 1) + 0.5) / CELLS_A_DEGREE;
