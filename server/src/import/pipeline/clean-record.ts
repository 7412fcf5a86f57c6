import { addressKey, cleanAddress } from '../../core/cleaning/clean-address.ts';
import { cleanBitrate, cleanCodec, type Playlist } from '../../core/cleaning/clean-codec.ts';
import { cleanHomepage, cleanLogo, homepageHost } from '../../core/cleaning/clean-homepage.ts';
import { cleanName, nameKey } from '../../core/cleaning/clean-name.ts';
import { parseBroadcast } from '../../core/cleaning/frequency.ts';
import { genresOf } from '../../core/cleaning/genres.ts';
import { languagesOf } from '../../core/cleaning/languages.ts';
import type { Coordinate } from '../../lib/geo.ts';
import { cutAt } from '../../lib/search-words.ts';
import { isStorable, storable } from '../../lib/storable-text.ts';
import type { StreamFormat } from '../../lib/stream-format.ts';
import { cleanPlace, distinctTags } from './clean-place.ts';
import type { PointSource, StationRecord } from './record.ts';

interface CleanStream {
  address: string;
  addressKey: string;
  /** Where the address redirected to when it was last checked, if elsewhere. */
  resolved?: string;
  resolvedKey?: string;
  format?: StreamFormat;
  playlist?: Playlist;
  /** 0 when unknown. */
  bitrateKbps: number;
  lastCheckOk?: boolean;
  /** A date: `2026-04-28`. */
  lastSeen?: string;
  dead?: true;
}

/** A record's contents in our terms: plain values that survive JSON unchanged. */
export interface CleanRecord {
  name: string;
  nameKey: string;
  callSign?: string;
  /** Megahertz on FM, kilohertz on AM. */
  frequency?: string;
  band?: 'FM' | 'AM';
  homepage?: string;
  homepageHost?: string;
  logo?: string;
  countryCode?: string;
  countryName?: string;
  state?: string;
  city?: string;
  coordinate?: Coordinate;
  /** Absent for a claim. */
  pointSource?: PointSource;
  /** ISO 639 codes. */
  languages: string[];
  /** Slugs of the taxonomy. */
  genres: string[];
  genresInferred?: true;
  stream: CleanStream;
  votes: number;
  clicks: number;
  radioBrowserId?: string;
  /** Absent where the source itself is the list. */
  list?: string;
}

const MAX_ID_LENGTH = 200;
const LONG_ID = `its id is longer than ${MAX_ID_LENGTH} characters: give it a shorter one`;
const ODD_ID = 'its id has a character that cannot be stored: give it an id of letters and digits';
const NO_NAME = 'the name is empty, a placeholder or only an address: give the station a name';
/** Who copies an address abroad gets that of a message, and it would join all stations of a network. */
const BLOCKED = /\/geo[-_]?(?:restrict|block)[a-z]*\.(?:mp3|aac|m3u8)(?:\?|$)/i;
const MESSAGE = 'the address is a message to listeners abroad: give the stream itself';
/** Names of lists come from files of others. */
const MAX_LIST_LENGTH = 100;
const TELEVISION = 'television: only sound is listed';

/** Cleans a record, or says why it cannot be listed. Deterministic. */
export function cleanRecord(raw: StationRecord): { station: CleanRecord } | { refused: string } {
  if (raw.record.length > MAX_ID_LENGTH) return { refused: LONG_ID };
  if (!isStorable(raw.record)) return { refused: ODD_ID };
  const name = cleanName(raw.name);
  if (name === undefined) return { refused: NO_NAME };
  const stream = cleanStream(raw);
  if ('refused' in stream) return stream;
  const homepage = raw.homepage ? cleanHomepage(raw.homepage) : undefined;
  const tags = distinctTags(raw.tags);
  const { place, network } = cleanPlace(raw, { name, tags, homepage, address: stream.address });
  const { slugs, inferred } = genresOf(tags, name);
  const station: CleanRecord = {
    name,
    nameKey: nameKey(name),
    languages: languagesOf(raw.languages, tags),
    genres: slugs,
    stream,
    votes: count(raw.votes),
    clicks: count(raw.clicks),
  };
  Object.assign(station, place, parseBroadcast(name, place.countryCode));
  if (inferred) station.genresInferred = true;
  // It still tells owners apart, as below; but a visitor would get the endless stream, or a download.
  report(station, 'homepage', homepage && isSound(homepage, stream) ? undefined : homepage);
  report(station, 'homepageHost', (homepage && homepageHost(homepage)) ?? network);
  report(station, 'logo', raw.logo ? cleanLogo(raw.logo) : undefined);
  report(station, 'radioBrowserId', uuid(raw.radioBrowserId));
  report(station, 'list', raw.list && cutAt(storable(raw.list), MAX_LIST_LENGTH));
  return { station };
}

/** Whether it is not a page: the stream's own address, which people paste into both fields, or an audio file. */
function isSound(page: string, stream: CleanStream): boolean {
  const found = cleanAddress(page);
  if ('refused' in found) return false;
  const key = addressKey(found.key);
  if (key === stream.addressKey || key === stream.resolvedKey) return true;
  const kind = cleanCodec(undefined, false, page);
  return 'format' in kind || 'playlist' in kind;
}

/** Sets a field only when it has a value. */
function report(
  station: CleanRecord,
  field: 'homepage' | 'homepageHost' | 'logo' | 'radioBrowserId' | 'list',
  value: string | undefined,
): void {
  if (value) station[field] = value;
}

function cleanStream(raw: StationRecord): CleanStream | { refused: string } {
  const found = cleanAddress(raw.address);
  if ('refused' in found) return found;
  if (BLOCKED.test(found.address)) return { refused: MESSAGE };
  const kind = cleanCodec(raw.codec, raw.hls, found.address);
  if ('refused' in kind) return { refused: TELEVISION };
  const stream: CleanStream = {
    address: found.address,
    addressKey: addressKey(found.key),
    bitrateKbps: cleanBitrate(raw.bitrateKbps),
    ...kind,
  };
  if (raw.resolvedAddress) addResolved(stream, raw.resolvedAddress);
  if (raw.lastCheckOk !== undefined) stream.lastCheckOk = raw.lastCheckOk;
  const lastSeen = day(raw.lastSeen);
  if (lastSeen) stream.lastSeen = lastSeen;
  if (raw.dead) stream.dead = true;
  return stream;
}

function addResolved(stream: CleanStream, text: string): void {
  const found = cleanAddress(text);
  if ('refused' in found) return;
  const key = addressKey(found.key);
  if (key !== stream.addressKey) Object.assign(stream, { resolved: found.address, resolvedKey: key });
}

const MAX = 2 ** 31 - 1;
const count = (value: number): number => (value > 0 ? Math.min(Math.floor(value), MAX) : 0);

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const uuid = (text: string | undefined): string | undefined =>
  text && UUID.test(text.toLowerCase()) ? text.toLowerCase() : undefined;

/** The day of a date or a time; undefined if the calendar has no such day. */
function day(text: string | undefined): string | undefined {
  const [date] = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?![\d-])/.exec(text ?? '') ?? [];
  // Only the last days of a month need the calendar, which is slow.
  if (!date || date.slice(8) <= '28') return date;
  return new Date(date).toJSON().startsWith(date) ? date : undefined;
}

/** A record with its words resolved to our ids: the input of recognition and writing. */
export interface ResolvedRecord {
  source: string;
  record: string;
  /** Changes if and only if the record's contents change. */
  digest: string;
  clean: CleanRecord;
  /** `clean` as stored; serialised once for the digest and for the row. */
  facts: string;
  countryId: number | null;
  regionId: number | null;
  coordinate: Coordinate | null;
  /** Null without a coordinate. */
  pointSource: PointSource | null;
  zone: string | null;
  genreIds: readonly number[];
  languageIds: readonly number[];
  /** Its list is often wrong, and nothing else speaks for its name (list-trust.ts): only its address counts. */
  isDoubtful?: boolean;
}
