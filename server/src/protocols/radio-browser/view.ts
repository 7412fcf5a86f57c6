import type { Directory } from '../../core/directory/directory.ts';
import {
  type DirectoryStation,
  type DirectoryStream,
  lineageOf,
  type Snapshot,
} from '../../core/directory/snapshot/snapshot.ts';
import { chooseStreams, whySunk } from '../../core/streams/choose-streams.ts';
import type { Player } from '../../core/streams/player.ts';
import { forEachYielding } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { searchText } from '../../lib/search-words.ts';
import { ALL_FORMATS } from '../../lib/stream-format.ts';
import { inTime } from '../../storage/cache/in-time.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { statement } from '../../storage/db/statement.ts';

const factsOfStations = statement(
  'radio-browser-facts',
  { uuids: 'text[]?', changed: 'float8', checked: 'float8?', alive: 'float8?', place: 'int8' },
  `SELECT a.uuids, extract(epoch FROM s.updated_at)::float8 AS changed, extract(epoch FROM c.checked_at)::float8 AS checked,
     extract(epoch FROM c.alive_at)::float8 AS alive, asked.place
   FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS asked (station_id, stream_id, place)
   JOIN LATERAL (SELECT updated_at FROM stations WHERE id = asked.station_id OFFSET 0) s ON true
   LEFT JOIN LATERAL (SELECT array_agg(foreign_id ORDER BY foreign_id) AS uuids FROM aliases
     WHERE kind = 's' AND item_id = asked.station_id AND scheme = 'radio-browser') a ON true
   LEFT JOIN LATERAL (SELECT checked_at, alive_at FROM stream_checks WHERE stream_id = asked.stream_id OFFSET 0) c ON true`,
);

/** The apps that call this API play what FFmpeg or a browser plays, and follow redirects. */
const APP: Player = {
  formats: ALL_FORMATS,
  heAac: true,
  takesAll: true,
  safestFirst: false,
  tls: 'modern',
  secureFirst: false,
  redirects: 4,
  playlists: ['m3u', 'pls', 'asx', 'xspf'],
  maxAddressLength: 2048,
  relay: 'never',
};

/** A station has one stream in this API: the one to try first. */
export const mainStream = (streams: readonly DirectoryStream[]): DirectoryStream =>
  (streams.length === 1 ? undefined : chooseStreams(streams, APP).chosen[0]) ?? streams[0]!;

export const isWorking = (stream: DirectoryStream): boolean => whySunk(stream) === undefined;

/** What this API searches by and shows beyond the directory, of every station of a snapshot, by rank. */
export interface View {
  readonly snapshot: Snapshot;
  readonly streams: readonly DirectoryStream[];
  readonly foldedNames: readonly string[];
  readonly codecs: readonly string[];
  /** 1 where the stream played when last listened to. */
  readonly working: Uint8Array;
  /** Of the records of radio-browser that a station was made of, the one it is shown with; undefined without any. */
  readonly uuids: readonly (string | undefined)[];
  /** Which station any record of radio-browser became. */
  readonly rankOfUuid: ReadonlyMap<string, number>;
  /** Seconds since 1970; NaN where there is no such time. */
  readonly times: Readonly<Record<'changed' | 'checked' | 'alive', Float64Array>>;
}

/** For one statement; between two of them other requests are answered. */
const BATCH = 500;
/** The first to ask wait so long, which is for the largest catalogue on a busy machine. */
const FIRST_MS = 9000;
/** Others get the view from before when the new one takes longer. */
const NEXT_MS = 1000;

/**
 * Keeps the view of the newest snapshot that one could be made of. With the database away that is the one from before; a
 * view that could not be made is tried again by the next request.
 */
export class Views {
  readonly #directory: Pick<Directory, 'current'>;
  readonly #db: Queryable;
  readonly #log: Pick<Log, 'warn'>;
  #last: View | undefined;
  #making: Promise<View> | undefined;

  constructor(directory: Pick<Directory, 'current'>, db: Queryable, log: Pick<Log, 'warn'>) {
    this.#directory = directory;
    this.#db = db;
    this.#log = log;
  }

  async current(): Promise<View> {
    const snapshot = this.#directory.current();
    const last = this.#last;
    if (last?.snapshot === snapshot) return last;
    const making = (this.#making ??= this.#make(snapshot).finally(() => (this.#making = undefined)));
    if (!last) return inTime(() => making, FIRST_MS);
    return inTime(() => making, NEXT_MS).catch(() => last);
  }

  async #make(snapshot: Snapshot): Promise<View> {
    try {
      return (this.#last = await makeView(snapshot, this.#db));
    } catch (err) {
      this.#log.warn(
        { err },
        'stations could not be prepared for the radio-browser API; the next request tries again',
      );
      throw err;
    }
  }
}

async function makeView(snapshot: Snapshot, db: Queryable): Promise<View> {
  const { stations } = snapshot;
  const { length } = stations;
  const streams: DirectoryStream[] = [];
  const foldedNames: string[] = [];
  const codecs: string[] = [];
  const working = new Uint8Array(length);
  await forEachYielding(stations, (station, rank) => {
    const stream = mainStream(station.streams);
    streams.push(stream);
    foldedNames.push(searchText(station.name));
    codecs.push(codecOf(stream));
    working[rank] = Number(isWorking(stream));
  });
  return { snapshot, streams, foldedNames, codecs, working, ...(await readFacts(db, stations, streams)) };
}

async function readFacts(
  db: Queryable,
  stations: readonly DirectoryStation[],
  streams: readonly DirectoryStream[],
): Promise<Pick<View, 'uuids' | 'rankOfUuid' | 'times'>> {
  const noTimes = (): Float64Array => new Float64Array(stations.length).fill(Number.NaN);
  const times = { changed: noTimes(), checked: noTimes(), alive: noTimes() };
  const uuids = Array.from<string | undefined>({ length: stations.length });
  const rankOfUuid = new Map<string, number>();
  for (let start = 0; start < stations.length; start += BATCH) {
    const ids = stations.slice(start, start + BATCH).map(({ id }) => id);
    const rows = await factsOfStations.run(db, [
      ids,
      streams.slice(start, start + BATCH).map(({ id }) => id),
    ]);
    for (const { place, changed, checked, alive, uuids: known } of rows) {
      const rank = start + place - 1;
      times.changed[rank] = changed;
      times.checked[rank] = checked ?? Number.NaN;
      times.alive[rank] = alive ?? Number.NaN;
      uuids[rank] = known?.[0];
      for (const uuid of known ?? []) rankOfUuid.set(uuid, rank);
    }
  }
  return { uuids, rankOfUuid, times };
}

const CODECS: Readonly<Record<string, string>> = {
  mp3: 'MP3',
  aac: 'AAC',
  ogg: 'OGG',
  opus: 'OPUS',
  flac: 'FLAC',
  wma: 'WMA',
  wmpro: 'WMA',
  wmvoice: 'WMA',
};

/** In the words of the API; of HLS what is inside, as far as it was measured. */
export function codecOf({ format, codec = '' }: DirectoryStream): string {
  if (/he-?aac|aac\+/i.test(codec)) return 'AAC+';
  if (format === 'hls' || format === undefined) {
    const inside = ['AAC', 'MP3', 'OPUS', 'FLAC'].find((name) => codec.toUpperCase().includes(name));
    return inside ?? 'UNKNOWN';
  }
  return CODECS[format] ?? 'UNKNOWN';
}

/** A genre's name as a tag: lower case, and no comma, which parts tags. */
export const tagOf = (name: string): string => name.toLowerCase().replaceAll(',', '');

export function tagsOf({ genreById }: Snapshot, { genreIds }: DirectoryStation): string[] {
  const genres = genreIds.map((id) => genreById.get(id)).filter((genre) => genre !== undefined);
  return [...new Set(genres.flatMap((genre) => lineageOf(genre)).map(({ name }) => tagOf(name)))];
}

interface Place {
  country: string;
  countryCode: string;
  state: string;
}

export function placeNamesOf(
  { regionById }: Snapshot,
  { regionId, countryCode = '' }: DirectoryStation,
): Place {
  const region = regionById.get(regionId ?? Number.NaN);
  const lineage = region ? lineageOf(region) : [];
  const country = lineage.find(({ kind }) => kind === 'country');
  return {
    country: country?.name ?? '',
    countryCode: country ? codeOfCountry(country) : countryCode,
    state: lineage.find(({ kind }) => kind === 'state')?.name ?? '',
  };
}

export const codeOfCountry = ({ code }: { code: string }): string => code.replace('country:', '');
