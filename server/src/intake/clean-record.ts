import type { Coordinate } from '../lib/geo.ts';
import type { StreamFormat } from '../lib/stream-format.ts';
import { addressKey, cleanAddress } from './clean-address.ts';
import { cleanBitrate } from './clean-bitrate.ts';
import { type Playlist, cleanCodec } from './clean-codec.ts';
import { cleanHomepage, homepageHost } from './clean-homepage.ts';
import { cleanLogo } from './clean-logo.ts';
import { cleanName } from './clean-name.ts';
import { cleanPlace } from './clean-place.ts';
import { tellingTags } from './flood.ts';
import { parseBroadcast } from './frequency.ts';
import { genresOf } from './genres.ts';
import { languagesOf } from './languages.ts';
import { nameKey } from './name-key.ts';
import type { StationRecord } from './record.ts';

export interface CleanStream {
  address: string;
  addressKey: string;
  /** Where the address led to when somebody followed it, if elsewhere. */
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

/** What a record says, in our words: plain values that go through JSON unchanged. */
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
  coordinateIsCity?: true;
  /** ISO 639 codes. */
  languages: string[];
  /** Slugs of the taxonomy. */
  genres: string[];
  genresInferred?: true;
  stream: CleanStream;
  votes: number;
  clicks: number;
  radioBrowserId?: string;
}

const NO_NAME = 'the name is empty, a placeholder or only an address: give the station a name';
const TELEVISION = 'television: only sound is listed';

/** A dirty record made clean, or the reason why it cannot be listed. The same record always gives the same answer. */
export function cleanRecord(raw: StationRecord): { station: CleanRecord } | { refused: string } {
  const name = cleanName(raw.name);
  if (name === undefined) return { refused: NO_NAME };
  const stream = cleanStream(raw);
  if ('refused' in stream) return stream;
  const homepage = raw.homepage ? cleanHomepage(raw.homepage) : undefined;
  const tags = tellingTags(raw.tags);
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
  tell(station, 'homepage', homepage);
  tell(station, 'homepageHost', (homepage && homepageHost(homepage)) ?? network);
  tell(station, 'logo', raw.logo ? cleanLogo(raw.logo) : undefined);
  tell(station, 'radioBrowserId', uuid(raw.radioBrowserId));
  return { station };
}

/** A field is there only when it says something. */
function tell(
  station: CleanRecord,
  field: 'homepage' | 'homepageHost' | 'logo' | 'radioBrowserId',
  value: string | undefined,
): void {
  if (value) station[field] = value;
}

function cleanStream(raw: StationRecord): CleanStream | { refused: string } {
  const found = cleanAddress(raw.address);
  if ('refused' in found) return found;
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

const MOST = 2 ** 31 - 1;
const count = (value: number): number => (value > 0 ? Math.min(Math.floor(value), MOST) : 0);

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const uuid = (text: string | undefined): string | undefined =>
  text && UUID.test(text.toLowerCase()) ? text.toLowerCase() : undefined;

/** The day of a date or a time; undefined for what is no day of the calendar. */
function day(text: string | undefined): string | undefined {
  const [date] = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?![\d-])/.exec(text ?? '') ?? [];
  // Only the last days of a month need the calendar, which is slow to ask.
  if (!date || date.slice(8) <= '28') return date;
  return new Date(date).toJSON().startsWith(date) ? date : undefined;
}
