import type { Detail } from './browse.ts';
import type { Params } from './call-url.ts';
import type { CallOptions, Connection } from './connection.ts';
import { type Described, type Outline, everyOutline } from './outline.ts';

/** Describe: what is known of one item, and the lists of the directory. */
export class DescribeCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async #lines(params: Params, call?: CallOptions): Promise<readonly Outline[]> {
    const { outlines } = await this.#connection.ask('/Describe.ashx', params, call);
    return outlines;
  }

  /** A station, show or topic; undefined when there is none of this id. */
  async item(id: string, call?: CallOptions): Promise<Described | undefined> {
    const [first] = await this.#lines({ id }, call);
    return first?.described;
  }

  /** The same, followed by the groups that are named. */
  details(id: string, detail: readonly Detail[], call?: CallOptions): Promise<readonly Outline[]> {
    return this.#lines({ id, detail: detail.join(',') }, call);
  }

  /** Several groups at once: `listing`, `options`, `schedules`, `affiliates`, `genres`, `recommendations`. */
  composite(id: string, detail: readonly string[], call?: CallOptions): Promise<readonly Outline[]> {
    return this.#lines({ c: 'composite', id, detail: detail.join(',') }, call);
  }

  /** What is on air, line by line: the station first, then the song, the show, the genre as far as they are known. */
  async nowPlaying(id: string, call?: CallOptions): Promise<readonly Outline[]> {
    const lines = await this.#lines({ c: 'nowplaying', id }, call);
    return [...everyOutline(lines)].filter(({ type }) => type === 'text');
  }

  /** Their ids are what `account.create` and `search.find` take. */
  countries(call?: CallOptions): Promise<readonly Outline[]> {
    return this.#lines({ c: 'countries' }, call);
  }

  languages(call?: CallOptions): Promise<readonly Outline[]> {
    return this.#lines({ c: 'languages' }, call);
  }

  genres(call?: CallOptions): Promise<readonly Outline[]> {
    return this.#lines({ c: 'genres' }, call);
  }

  /** The languages that the directory speaks. */
  locales(call?: CallOptions): Promise<readonly Outline[]> {
    return this.#lines({ c: 'locales' }, call);
  }

  /** The names that `formats` takes. */
  formats(call?: CallOptions): Promise<readonly Outline[]> {
    return this.#lines({ c: 'formats' }, call);
  }
}
