import { ReadThrough } from '../cache/read-through.ts';
import { type SongRow, listSongs } from '../catalog/songs.ts';
import type { Queryable } from '../db/pool.ts';
import type { DirectoryStation } from '../directory/snapshot.ts';
import type { Answer, Call } from '../http/endpoint.ts';
import { isZone } from '../lib/local-time.ts';
import { zoneName } from '../lib/zone.ts';
import type { Outline } from '../opml/document.ts';
import { textOutline } from '../opml/outlines.ts';
import { songOutline } from '../opml/song-outline.ts';
import type { NamedAccounts } from './caller-place.ts';
import { parseOffsetZone } from './schedule-window.ts';

/** Three hours of music. */
const MOST_SONGS = 50;
const FRESH_MS = 15_000;

/** What stations played lately, as far as somebody listened or they said so themselves. */
export class Playlists {
  readonly #accounts: Pick<NamedAccounts, 'get'>;
  readonly #read: ReadThrough<SongRow[]>;

  constructor(db: Queryable, accounts: Pick<NamedAccounts, 'get'>) {
    this.#accounts = accounts;
    this.#read = new ReadThrough({
      load: (id) => listSongs(db, Number(id), MOST_SONGS),
      most: 2000,
      freshMs: FRESH_MS,
      staleMs: 3_600_000,
    });
  }

  async menu(call: Call, station: DirectoryStation): Promise<Answer> {
    const { words } = call.caller;
    const [zone, songs] = await Promise.all([
      this.#zoneOf(call, station),
      this.#read.get(String(station.id)),
    ]);
    const outlines = songs.map((song) => entry(song, zone, words.language));
    return {
      title: station.name,
      outlines: outlines.length > 0 ? outlines : [textOutline(words.text('browse.noSongs'))],
      maxAgeSeconds: FRESH_MS / 1000,
    };
  }

  /** The account's, else as far from UTC as the caller says, else the station's own. */
  async #zoneOf({ caller, params }: Call, station: DirectoryStation): Promise<string> {
    const account = caller.username === undefined ? undefined : await this.#accounts.get(caller.username);
    const zone = account?.zone ?? params.optional('offset', parseOffsetZone) ?? station.zone;
    return zone !== undefined && isZone(zone) ? zone : 'UTC';
  }
}

const entry = ({ title, artist, started_at: start }: SongRow, zone: string, language: string): Outline =>
  songOutline({
    title,
    artist: artist ?? undefined,
    start: start.toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'second' }),
    zoneName: zoneName(zone, language, start),
  });
