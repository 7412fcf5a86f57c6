import type { CallOptions, Connection } from './connection.ts';
import type { Menu } from './outline.ts';

/** Words that must stand in one place; with or without a query. */
export interface SearchFilter {
  types?: 'station' | 'show';
  name?: string;
  call?: string;
  freq?: string;
  city?: string;
  /** A name, or an id `g…`. */
  genre?: string;
  /** A name, or an id `n…` of Describe countries. */
  country?: string;
}

/** Search: stations and shows, the best first. */
export class SearchCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** By name, call sign, frequency, genre, place; or a guide ID. */
  find(query: string, filter: SearchFilter = {}, call?: CallOptions): Promise<Menu> {
    return this.#connection.ask('/Search.ashx', { query, ...filter }, call);
  }

  /** The stations that are heard at an address. */
  byStream(address: string, call?: CallOptions): Promise<Menu> {
    return this.#connection.ask('/Search.ashx', { c: 'stream', query: address }, call);
  }

  /** The stations that play this now, as far as the directory knows; each says its song as `subtext`. */
  bySong(title: string, call?: CallOptions): Promise<Menu> {
    return this.#connection.ask('/Search.ashx', { c: 'song', query: title }, call);
  }

  /** The stations that play something by this artist now. */
  byArtist(artist: string, call?: CallOptions): Promise<Menu> {
    return this.#connection.ask('/Search.ashx', { c: 'artist', query: artist }, call);
  }
}
