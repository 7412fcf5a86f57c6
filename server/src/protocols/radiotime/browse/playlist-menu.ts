import type { DirectoryStation } from '../../../core/directory/snapshot/snapshot.ts';
import type { NamedAccounts } from '../../../core/places/caller-places.ts';
import type { Outline } from '../../../formats/opml/document.ts';
import { textOutline } from '../../../formats/opml/outlines.ts';
import { isZone, zoneName } from '../../../lib/zone.ts';
import { ReadThrough } from '../../../storage/cache/read-through.ts';
import { listSongs, type SongRow } from '../../../storage/catalog/songs.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import type { Answer, Call } from '../call/endpoint.ts';
import { songOutline } from '../outlines/now-playing-outlines.ts';
import { parseOffsetZone } from './schedule-menu.ts';

/** About three hours of music. */
const MAX_SONGS = 50;
const FRESH_MS = 15_000;

/** Songs that stations played recently, as far as they were polled or reported. */
export class Playlists {
  readonly #accounts: Pick<NamedAccounts, 'get'>;
  readonly #read: ReadThrough<SongRow[]>;

  constructor(db: Queryable, accounts: Pick<NamedAccounts, 'get'>) {
    this.#accounts = accounts;
    this.#read = new ReadThrough({
      load: (id) => listSongs(db, Number(id), MAX_SONGS),
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

  /** The account's time zone, else the caller's offset from UTC, else the station's own zone. */
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
