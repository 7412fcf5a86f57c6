import type { Params } from './call-url.ts';
import type { CallOptions, Connection } from './connection.ts';
import type { Menu } from './outline.ts';

export type Detail = 'affiliate' | 'genre' | 'recommendation';

export interface ScheduleSpan {
  /** The first day, `yyyymmdd`. */
  start?: string;
  /** The last, at most two days later. */
  stop?: string;
  /** The next 24 to 36 hours instead. */
  forward?: boolean;
  /** With `forward`: beginning with what is on air. */
  live?: boolean;
}

/** Browse: the menus of the directory. Start at the index and follow. */
export class BrowseCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  #menu(params: Params, call?: CallOptions): Promise<Menu> {
    return this.#connection.ask('/Browse.ashx', params, call);
  }

  index(call?: CallOptions): Promise<Menu> {
    return this.#menu({}, call);
  }

  /** Stations near `latlon`, else near the account's place, else near the caller's address. */
  local(call?: CallOptions): Promise<Menu> {
    return this.#menu({ c: 'local' }, call);
  }

  /** `music`, `talk`, `sports`, `world`, `podcast`, `popular`, `trending`, `best`, `recent`. */
  category(name: string, call?: CallOptions): Promise<Menu> {
    return this.#menu({ c: name }, call);
  }

  /** The languages of the directory, or with the id of one (`l…`) its stations, shows and genres. */
  languages(filter?: string, call?: CallOptions): Promise<Menu> {
    return this.#menu({ c: 'lang', filter }, call);
  }

  /** What there is about a station, show, genre, region or affiliate; of a station only the details named. */
  byId(id: string, detail: readonly Detail[] = [], call?: CallOptions): Promise<Menu> {
    return this.#menu({ id, detail: detail.join(',') }, call);
  }

  /** The presets of the caller's `username` or `serial`: those of the only folder, or a link for each folder. */
  presets(call?: CallOptions): Promise<Menu> {
    return this.#menu({ c: 'presets' }, call);
  }

  /** The presets of one folder. */
  folder(folderId: string, call?: CallOptions): Promise<Menu> {
    return this.#menu({ c: 'presets', guide_id: folderId }, call);
  }

  /** All folders, each as a container with its presets inside. */
  allFolders(call?: CallOptions): Promise<Menu> {
    return this.#menu({ c: 'presets', options: 'recurse' }, call);
  }

  schedule(stationId: string, span: ScheduleSpan = {}, call?: CallOptions): Promise<Menu> {
    return this.#menu({ c: 'schedule', id: stationId, ...span }, call);
  }

  /** What a station played, the latest first: `text` is the title, `subtext` the artist, `start` when it began. */
  playlist(stationId: string, call?: CallOptions): Promise<Menu> {
    return this.#menu({ c: 'playlist', id: stationId }, call);
  }

  topics(showId: string, call?: CallOptions): Promise<Menu> {
    return this.#menu({ c: 'topics', id: showId }, call);
  }
}
