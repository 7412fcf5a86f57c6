import { hash } from 'node:crypto';
import type { StreamBoard } from '../../core/directory/live/keep-streams.ts';
import type { Snapshot } from '../../core/directory/snapshot/snapshot.ts';
import { finalAddress } from '../../core/streams/player.ts';
import { forEachYielding } from '../../lib/clock.ts';
import { guideId } from '../../lib/guide-id.ts';
import type { Counts } from './counts.ts';
import { codecOf, isWorking, mainStream, placeNamesOf, tagsOf, type View } from './view.ts';

export interface RecordSources {
  streamBoard: Pick<StreamBoard, 'latest'>;
  counts: Pick<Counts, 'of'>;
  /** `http://host`, where the logos are. */
  origin: string;
}

export type ApiStation = ReturnType<typeof stationRecord>;

/** A station as the API shows it; `asUuid` names it as the caller did. */
export function stationRecord(view: View, rank: number, sources: RecordSources, asUuid?: string) {
  const { snapshot, times, uuids } = view;
  const station = snapshot.stations[rank]!;
  const stream = mainStream(station.streams.map((one) => sources.streamBoard.latest(one)));
  const { votes, clicks, clickedMs } = sources.counts.of(station);
  const changed = timesOf('lastchangetime', times.changed[rank]!);
  const { country, countryCode, state } = placeNamesOf(snapshot, station);
  const languages = station.languageIds
    .map((id) => snapshot.languageById.get(id))
    .filter((one) => one !== undefined);
  return {
    changeuuid: uuidV5(`${guideId('s', station.id)} ${changed.lastchangetime_iso8601}`),
    stationuuid: asUuid ?? uuids[rank] ?? ownUuid(station.id),
    serveruuid: null,
    name: station.name,
    url: stream.address,
    url_resolved: finalAddress(stream),
    homepage: station.homepage ?? '',
    favicon: station.hasLogo ? `${sources.origin}/logos/${guideId('s', station.id)}q.png` : '',
    tags: tagsOf(snapshot, station).join(','),
    country,
    countrycode: countryCode,
    iso_3166_2: null,
    state,
    language: languages.map(({ name }) => name.toLowerCase().replaceAll(',', '')).join(','),
    // Home Assistant refuses null in this and in the other fields below that are never null.
    languagecodes: languages.map(({ code }) => code).join(','),
    votes,
    ...changed,
    codec: codecOf(stream),
    bitrate: stream.bitrate,
    hls: stream.format === 'hls' ? 1 : 0,
    lastcheckok: isWorking(stream) ? 1 : 0,
    ...timesOf('lastchecktime', times.checked[rank]!),
    ...timesOf('lastcheckoktime', times.alive[rank]!),
    ...timesOf('lastlocalchecktime', times.checked[rank]!),
    ...timesOf('clicktimestamp', (clickedMs ?? Number.NaN) / 1000),
    clickcount: clicks,
    clicktrend: 0,
    ssl_error: stream.verdict === 'tls' ? 1 : 0,
    geo_lat: station.coordinate?.latitude ?? null,
    geo_long: station.coordinate?.longitude ?? null,
    has_extended_info: false,
  };
}

/** In the order of the API, for a table that has no rows. */
export const STATION_FIELDS =
  'changeuuid stationuuid serveruuid name url url_resolved homepage favicon tags country countrycode iso_3166_2 state language languagecodes votes lastchangetime lastchangetime_iso8601 codec bitrate hls lastcheckok lastchecktime lastchecktime_iso8601 lastcheckoktime lastcheckoktime_iso8601 lastlocalchecktime lastlocalchecktime_iso8601 clicktimestamp clicktimestamp_iso8601 clickcount clicktrend ssl_error geo_lat geo_long has_extended_info'.split(
    ' ',
  );

type Times<Name extends string> = Record<Name | `${Name}_iso8601`, string>;

/** `2026-04-01 10:00:00` and `2026-04-01T10:00:00Z`. */
function timesOf<Name extends string>(name: Name, seconds: number): Times<Name> {
  const text = Number.isNaN(seconds) ? '' : new Date(seconds * 1000).toISOString().slice(0, 19);
  const iso = text === '' ? '' : `${text}Z`;
  // oxlint-disable-next-line no-unsafe-type-assertion -- both names are written out here
  return { [name]: text.replace('T', ' '), [`${name}_iso8601`]: iso } as Times<Name>;
}

/** Of the ids that Longwave makes up for stations no record of radio-browser names. Never to be changed: apps keep them. */
const NAMESPACE = Buffer.from('8f1d3c52a6e94b0793f4d2c05b7e61aa', 'hex');

/** RFC 9562, version 5. */
export function uuidV5(name: string): string {
  const bytes = hash('sha1', Buffer.concat([NAMESPACE, Buffer.from(name)]), 'buffer').subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return withDashes(bytes.toString('hex'));
}

const withDashes = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

export const ownUuid = (stationId: number): string => uuidV5(guideId('s', stationId));

const ownUuids = new WeakMap<Snapshot, Promise<ReadonlyMap<string, number>>>();

/** Which station a UUID of ours names. Few ask, so the index is made for the first that does, once for a snapshot. */
function ranksByOwnUuid(snapshot: Snapshot): Promise<ReadonlyMap<string, number>> {
  const known = ownUuids.get(snapshot);
  if (known) return known;
  const index = indexOwnUuids(snapshot);
  ownUuids.set(snapshot, index);
  index.catch(() => ownUuids.delete(snapshot));
  return index;
}

/** That of a station which was merged into another one names the other. */
async function indexOwnUuids({ stations, mergedById }: Snapshot): Promise<ReadonlyMap<string, number>> {
  const index = new Map<string, number>();
  for (const [id, { rank }] of mergedById) index.set(ownUuid(id), rank);
  await forEachYielding(stations, ({ id }, rank) => void index.set(ownUuid(id), rank));
  return index;
}

const HEX = /^[\da-f]{32}$/;
/** More favourites than anybody keeps. */
const MAX_UUIDS = 2000;

/** With its dashes, in lower case; some write it without. */
function parseUuid(text: string): string | undefined {
  const hex = text.trim().toLowerCase().replaceAll('-', '');
  return HEX.test(hex) ? withDashes(hex) : undefined;
}

export interface AskedStation {
  rank: number;
  /** As the caller named it, in the usual spelling. */
  asUuid?: string;
}

/** The stations that UUIDs name, in the directory's order; unknown ones are left out. */
export async function findByUuids(view: View, texts: readonly string[]): Promise<AskedStation[]> {
  const known = texts
    .slice(0, MAX_UUIDS)
    .map(parseUuid)
    .filter((uuid) => uuid !== undefined);
  const uuids = [...new Set(known)];
  const own = uuids.every((uuid) => view.rankOfUuid.has(uuid))
    ? undefined
    : await ranksByOwnUuid(view.snapshot);
  const found: Required<AskedStation>[] = [];
  for (const asUuid of uuids) {
    const rank = view.rankOfUuid.get(asUuid) ?? own?.get(asUuid);
    if (rank !== undefined) found.push({ rank, asUuid });
  }
  return found.toSorted((a, b) => a.rank - b.rank);
}
