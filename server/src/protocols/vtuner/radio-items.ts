import type { Directory } from '../../core/directory/directory.ts';
import type { Aliases } from '../../core/directory/lookup/by-any-id.ts';
import { findStation } from '../../core/directory/lookup/lookups.ts';
import type { DirectoryStation } from '../../core/directory/snapshot/snapshot.ts';
import { Fault } from '../../lib/fault.ts';
import { guideId, type ParsedGuideId } from '../../lib/guide-id.ts';
import type { FileCall } from '../../net/http/endpoints/file-endpoint.ts';
import { inTime, READ_MS } from '../../storage/cache/in-time.ts';
import { ReadThrough } from '../../storage/cache/read-through.ts';
import { findShow } from '../../storage/catalog/shows/shows.ts';
import { findTopic, type ListedTopicRow, listTopicsOfShow } from '../../storage/catalog/shows/topics.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import type { Favourites } from './favourites.ts';
import { parseOwnId, RememberedIds } from './ids.ts';
import {
  episodeLine,
  folderAddress,
  type LineContext,
  pageLines,
  messagePage,
  savedAddressLine,
  stationLine,
} from './lines.ts';
import type { Page, PageItem } from './page.ts';
import type { RadioRequest } from './read-request.ts';
import { isReadable, type RadioStreams } from './station-streams.ts';

interface ItemDeps {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  aliases: Pick<Aliases, 'find'>;
  streams: RadioStreams;
  favourites: Favourites;
}

interface ShowWithTopics {
  title: string;
  topics: ListedTopicRow[];
}

/** Of one show: the newest. */
const MAX_TOPICS = 300;

/** What a radio asks for by its id: stations, shows, episodes and saved addresses. */
export class RadioItems {
  readonly #deps: ItemDeps;
  readonly #remembered: RememberedIds;
  readonly #shows: ReadThrough<ShowWithTopics | undefined>;

  constructor(deps: ItemDeps) {
    this.#deps = deps;
    this.#remembered = new RememberedIds(deps.db, deps.aliases);
    this.#shows = new ReadThrough({
      load: async (id) => {
        const show = await findShow(deps.db, Number(id));
        if (!show?.listed) return undefined;
        return { title: show.title, topics: await listTopicsOfShow(deps.db, show.id, { limit: MAX_TOPICS }) };
      },
      most: 200,
      freshMs: 60_000,
      staleMs: 3_600_000,
    });
  }

  async #idOf(text: string): Promise<ParsedGuideId | undefined> {
    return parseOwnId(text) ?? this.#remembered.find(text);
  }

  /** The guide ID of what was asked for, for the operator; a word where it is none. */
  async shownId(text: string): Promise<string> {
    const id = await this.#idOf(text);
    return id ? guideId(id.letter, id.number) : 'unknown';
  }

  #station(id: ParsedGuideId | undefined): DirectoryStation | undefined {
    return id?.letter === 's' ? findStation(this.#deps.directory.current(), id.number) : undefined;
  }

  /** A page of nothing but this item. Found by a search, it has a way back. */
  async page(text: string, request: RadioRequest, call: FileCall, { isFound = false } = {}): Promise<Page> {
    const line = await this.#line(await this.#idOf(text), request, call);
    if (!line) return messagePage(request.words.text('vtuner.gone'), request);
    const previous = isFound ? folderAddress(request, 'root') : undefined;
    return { total: 1, items: [line], previous, isWhole: true };
  }

  async #line(
    id: ParsedGuideId | undefined,
    request: RadioRequest,
    call: FileCall,
  ): Promise<PageItem | undefined> {
    const { directory, streams, favourites, db } = this.#deps;
    const context: LineContext = { request, call, snapshot: directory.current(), streams, bookmark: 'add' };
    const station = this.#station(id);
    if (station) return stationLine(station, context).line;
    if (id?.letter === 'u') {
      const saved = await favourites.findAddress(request, id.number);
      return saved && savedAddressLine(saved, request);
    }
    if (id?.letter === 'p') {
      const show = await this.#shows.get(String(id.number));
      const item = show && ({ kind: 'show', id: guideId('p', id.number), title: show.title } as const);
      return item && pageLines([item], context).lines[0];
    }
    const topic = id?.letter === 't' ? await inTime(() => findTopic(db, id.number), READ_MS) : undefined;
    const show = topic && (await this.#shows.get(String(topic.show_id)));
    return show && isReadable(topic.address) ? episodeLine(topic, show.title, request) : undefined;
  }

  /** The episodes of a show that the radio can ask for: by plain HTTP. */
  async episodes(text: string, request: RadioRequest): Promise<Page> {
    const { words, offset, limit } = request;
    const id = await this.#idOf(text);
    const show = id?.letter === 'p' ? await this.#shows.get(String(id.number)) : undefined;
    if (!show) return messagePage(words.text('vtuner.gone'), request);
    const topics = show.topics.filter(({ address }) => isReadable(address));
    if (topics.length === 0) return messagePage(words.text('browse.notSupported'), request);
    const items = topics
      .slice(offset, offset + limit)
      .map((topic) => episodeLine(topic, show.title, request));
    return {
      total: request.isPaged ? topics.length : items.length,
      items,
      previous: folderAddress(request, 'root'),
    };
  }

  async save(request: RadioRequest, call: FileCall): Promise<Page> {
    const { favourites } = this.#deps;
    const id = await this.#idOf(namedIn(request));
    const isSaved = id !== undefined && (await favourites.add(request, id, call.peer.address));
    return messagePage(request.words.text(isSaved ? 'vtuner.saved' : 'vtuner.gone'), request, 'Message');
  }

  async remove(request: RadioRequest): Promise<Page> {
    const id = await this.#idOf(namedIn(request));
    if (id) await this.#deps.favourites.remove(request, id);
    return messagePage(request.words.text('vtuner.removed'), request, 'Message');
  }

  /** Where something is heard: a station by its id, else the favourite of that number. */
  async sound(
    text: string,
    request: RadioRequest,
    call: FileCall,
  ): Promise<{ address: string; stationId: string }> {
    const station = this.#station(await this.#idOf(text)) ?? (await this.#favouriteOf(text, request));
    if (!station)
      throw new Fault(404, undefined, 'There is no such station here: give its id, such as LW123.mp3');
    const stationId = guideId('s', station.id);
    return { stationId, address: this.#deps.streams.target(station, request, call) };
  }

  async #favouriteOf(text: string, request: RadioRequest): Promise<DirectoryStation | undefined> {
    const { favourites } = this.#deps;
    if (!/^\d{1,3}$/.test(text) || !favourites.isOpen || request.mac === undefined) return undefined;
    const saved = (await favourites.list(request)).flatMap(({ items }) => items);
    const item = saved[Number(text) - 1];
    return item?.kind === 'station' ? item.station : undefined;
  }
}

/** `0` stands for none: `ID=0` beside `ShowID=P12`. */
const namedIn = ({ params }: RadioRequest): string =>
  ['stationid', 'showid', 'id'].map((name) => params.get(name) ?? '').find((id) => id !== '' && id !== '0') ??
  '';
