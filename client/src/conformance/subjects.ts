import { NotShown } from './expect.ts';
import type { Answer } from './answer.ts';
import type { Requests } from './requests.ts';
import { attribute, everyWireOutline, isLink, isShow, isStation, isTopic, type WireOutline } from './opml.ts';

/** How many menus a search for one subject may open. */
const MENUS = 15;
/** Shows asked for topics before it is believed that there are none. */
const SHOWS = 8;
/** Stations asked for a schedule before it is believed that there is none. */
const SCHEDULES = 8;

/** The items that checks are made on, found by following the server's own links; each is looked for once. */
export class Subjects {
  readonly #requests: Requests;
  #genre: Promise<Answer> | undefined;
  #region: Promise<Answer> | undefined;
  #show: Promise<WireOutline> | undefined;
  #schedule: Promise<Schedule> | undefined;

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  index(): Promise<Answer> {
    return this.#requests.success('/Browse.ashx');
  }

  /** The address behind an entry of the index. */
  async entry(key: string): Promise<string> {
    const { document } = await this.index();
    const entry = document.outlines.find((outline) => attribute(outline, 'key') === key);
    return found(entry && attribute(entry, 'URL'), `entry ${key} in the index`);
  }

  /** The first genre menu with stations in it. */
  genre(): Promise<Answer> {
    this.#genre ??= this.#walk('music', isStation, 'genre with stations');
    return this.#genre;
  }

  /** The id that the genre menu is asked for by. */
  async genreId(): Promise<string> {
    const { reply } = await this.genre();
    return found(new URL(reply.request.url).searchParams.get('id') ?? undefined, 'genre with an id');
  }

  /** The first menu of a place with stations in it. */
  region(): Promise<Answer> {
    this.#region ??= this.#walk('location', isStation, 'place with stations');
    return this.#region;
  }

  /** The entries of the list of languages. */
  async languages(): Promise<readonly WireOutline[]> {
    const { document } = await this.#requests.follow(await this.entry('language'));
    return document.outlines.filter((outline) => attribute(outline, 'URL').includes('filter=l'));
  }

  async stations(): Promise<WireOutline[]> {
    const { document } = await this.genre();
    return everyWireOutline(document.outlines).filter(isStation);
  }

  async station(): Promise<WireOutline> {
    const [first] = await this.stations();
    return found(first, 'station');
  }

  async stationId(): Promise<string> {
    return attribute(await this.station(), 'guide_id');
  }

  /** The first show that has topics, else the first. */
  show(): Promise<WireOutline> {
    this.#show ??= this.#findShow();
    return this.#show;
  }

  async showId(): Promise<string> {
    return attribute(await this.show(), 'guide_id');
  }

  /** What a show can be heard as. */
  async listening(): Promise<Answer> {
    return this.#listeningTo(await this.show());
  }

  #listeningTo(show: WireOutline): Promise<Answer> {
    return this.#requests.success(`/Tune.ashx?c=pbrowse&id=${attribute(show, 'guide_id')}`);
  }

  async topic(): Promise<WireOutline> {
    const { document } = await this.listening();
    return found(everyWireOutline(document.outlines).find(isTopic), 'topic of the first shows');
  }

  schedule(): Promise<Schedule> {
    this.#schedule ??= this.#findSchedule();
    return this.#schedule;
  }

  async #findSchedule(): Promise<Schedule> {
    for (const stationId of await this.#scheduleCandidates()) {
      const answer = await this.#requests.success(
        `/Browse.ashx?c=schedule&id=${stationId}&forward=true&live=true`,
      );
      if (answer.document.outlines.some(({ attributes }) => attributes.has('start')))
        return { stationId, answer };
    }
    throw new NotShown('no station with a schedule was found');
  }

  /** The stations that send a show first: they have a schedule if any has. */
  async #scheduleCandidates(): Promise<string[]> {
    const sending = await this.listening().then(
      ({ document }) => everyWireOutline(document.outlines).filter(isStation),
      () => [],
    );
    const known = [...sending, ...(await this.stations())];
    return [...new Set(known.map((station) => attribute(station, 'guide_id')))].slice(0, SCHEDULES);
  }

  async #findShow(): Promise<WireOutline> {
    const shows = new Map<string, WireOutline>();
    for await (const { document } of this.#menus('podcast')) {
      for (const show of everyWireOutline(document.outlines).filter(isShow)) {
        const id = attribute(show, 'guide_id');
        if (shows.has(id)) continue;
        shows.set(id, show);
        if (await this.#hasTopics(show)) return show;
        if (shows.size === SHOWS) break;
      }
      if (shows.size === SHOWS) break;
    }
    const [first] = shows.values();
    return found(first, 'show');
  }

  /** A menu that is refused has none; the checks that are about it say so. */
  #hasTopics(show: WireOutline): Promise<boolean> {
    return this.#listeningTo(show).then(
      ({ document }) => everyWireOutline(document.outlines).some(isTopic),
      () => false,
    );
  }

  async #walk(key: string, isWanted: (outline: WireOutline) => boolean, what: string): Promise<Answer> {
    for await (const menu of this.#menus(key))
      if (everyWireOutline(menu.document.outlines).some(isWanted)) return menu;
    throw new NotShown(`no ${what} was found`);
  }

  /** Opens menus from an entry of the index on, deeper ones first. */
  async *#menus(key: string): AsyncGenerator<Answer> {
    const waiting = [await this.entry(key)];
    const seen = new Set<string>();
    for (let link = waiting.shift(); link !== undefined && seen.size < MENUS; link = waiting.shift()) {
      if (seen.has(link)) continue;
      seen.add(link);
      const menu = await this.#requests.follow(link);
      yield menu;
      const deeper = everyWireOutline(menu.document.outlines).filter((o) => isLink(o) && !isShow(o));
      waiting.unshift(...deeper.map((outline) => attribute(outline, 'URL')));
    }
  }
}

/** A station with a schedule, and what it sends next. */
export interface Schedule {
  stationId: string;
  answer: Answer;
}

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined || value === '') throw new NotShown(`no ${what} was found`);
  return value;
}
