import { doubtfulKey, isDoubtfulKey } from '../../core/cleaning/clean-name.ts';
import type { Coordinate } from '../../lib/geo.ts';
import type { ResolvedRecord } from './clean-record.ts';
import type { PointSource } from './record.ts';

/** A station while a batch works on it: an existing row, or one that will be inserted. */
export interface StationDraft {
  id: number;
  isNew: boolean;
  /** Its records changed; the row must be written. */
  changed: boolean;
  name: string;
  nameKey: string;
  callSign: string | null;
  frequency: string | null;
  band: string | null;
  homepage: string | null;
  homepageHost: string | null;
  countryId: number | null;
  regionId: number | null;
  coordinate: Coordinate | null;
  pointSource: PointSource | null;
  zone: string | null;
  votes: number;
  clicks: number;
  genreIds: number[];
  languageIds: number[];
  logo: string | null;
  /** Its name was doubtful, and the batch brought a record that is not. */
  isRenamed?: boolean;
  /** The station that an operator merged it into: what is recognised as this one belongs there. */
  mergedInto?: StationDraft;
}

const MAX_GENRES = 8;
const MAX_LANGUAGES = 5;

/** A new station, from its first record. */
export function foundStation(record: ResolvedRecord): StationDraft {
  const { clean } = record;
  const draft: StationDraft = {
    id: 0,
    isNew: true,
    changed: true,
    name: clean.name,
    nameKey: record.isDoubtful === true ? doubtfulKey(clean.nameKey) : clean.nameKey,
    callSign: null,
    frequency: null,
    band: null,
    homepage: null,
    homepageHost: null,
    countryId: record.countryId,
    regionId: record.regionId,
    coordinate: null,
    pointSource: null,
    zone: null,
    votes: 0,
    clicks: 0,
    genreIds: [],
    languageIds: [],
    logo: null,
  };
  fillIn(draft, record);
  return draft;
}

/**
 * Merges one more record: known values stay, missing ones are filled, counts take the larger. What a doubtful record says is
 * of another station, so it adds nothing to one that others speak of, and all that it said yields to the first of those.
 */
export function foldRecord(draft: StationDraft, record: ResolvedRecord): void {
  const isDoubtful = isDoubtfulKey(draft.nameKey);
  if (record.isDoubtful === true && !isDoubtful) return;
  if (record.isDoubtful === true || !isDoubtful) fillIn(draft, record);
  else Object.assign(draft, foundStation(record), { id: draft.id, isNew: draft.isNew, isRenamed: true });
}

function fillIn(draft: StationDraft, record: ResolvedRecord): void {
  const { clean } = record;
  fill(draft, 'callSign', clean.callSign);
  if (draft.frequency === null) {
    fill(draft, 'frequency', clean.frequency);
    fill(draft, 'band', clean.band);
  }
  if (draft.homepage === null) {
    fill(draft, 'homepage', clean.homepage);
    fill(draft, 'homepageHost', clean.homepageHost);
  }
  fill(draft, 'logo', clean.logo);
  foldPlace(draft, record);
  raise(draft, 'votes', clean.votes);
  raise(draft, 'clicks', clean.clicks);
  append(draft, 'genreIds', record.genreIds, MAX_GENRES);
  append(draft, 'languageIds', record.languageIds, MAX_LANGUAGES);
}

/** Region, coordinate and zone belong together: a record with a location replaces one that knew only the country. */
function foldPlace(draft: StationDraft, record: ResolvedRecord): void {
  const elsewhere = draft.countryId !== null && record.countryId !== draft.countryId;
  if (draft.coordinate !== null || elsewhere) return;
  if (record.coordinate === null && draft.regionId !== null) return;
  if (record.countryId === null && record.coordinate === null) return;
  draft.changed = true;
  draft.countryId = record.countryId;
  draft.regionId = record.regionId;
  draft.coordinate = record.coordinate;
  draft.pointSource = record.pointSource;
  draft.zone = record.zone;
}

type TextField = 'callSign' | 'frequency' | 'band' | 'homepage' | 'homepageHost' | 'logo';

function fill(draft: StationDraft, field: TextField, value: string | undefined): void {
  if (draft[field] !== null || value === undefined) return;
  draft[field] = value;
  draft.changed = true;
}

function raise(draft: StationDraft, field: 'votes' | 'clicks', value: number): void {
  if (value <= draft[field]) return;
  draft[field] = value;
  draft.changed = true;
}

function append(
  draft: StationDraft,
  field: 'genreIds' | 'languageIds',
  ids: readonly number[],
  most: number,
): void {
  for (const id of ids) {
    if (draft[field].length >= most || draft[field].includes(id)) continue;
    draft[field].push(id);
    draft.changed = true;
  }
}

/** A click is a listener; a vote is an opinion that may be years old. */
export const popularityOf = ({ votes, clicks }: { votes: number; clicks: number }): number =>
  votes + 5 * clicks;

/** A stream while a batch works on it. */
export interface StreamDraft {
  id: number;
  isNew: boolean;
  changed: boolean;
  station: StationDraft;
  address: string;
  addressKey: string;
  resolvedAddress: string | null;
  resolvedKey: string | null;
  format: string | null;
  playlist: string | null;
  bitrate: number;
  reliability: number;
  lastSeen: string | null;
  listed: boolean;
}

export function foundStream(station: StationDraft, record: ResolvedRecord): StreamDraft {
  const { stream } = record.clean;
  return {
    id: 0,
    isNew: true,
    changed: true,
    station,
    address: stream.address,
    addressKey: stream.addressKey,
    resolvedAddress: stream.resolved ?? null,
    resolvedKey: stream.resolvedKey ?? null,
    format: stream.format ?? null,
    playlist: stream.playlist ?? null,
    bitrate: stream.bitrateKbps,
    reliability: firstReliability(record),
    lastSeen: stream.lastSeen ?? null,
    listed: true,
  };
}

/** Merges a second record with the same address: fills what is missing, and takes the newest sighting. */
export function foldStream(draft: StreamDraft, record: ResolvedRecord): void {
  const { stream } = record.clean;
  const before = JSON.stringify([
    draft.format,
    draft.bitrate,
    draft.lastSeen,
    draft.resolvedKey,
    draft.listed,
  ]);
  draft.format ??= stream.format ?? null;
  draft.bitrate ||= stream.bitrateKbps;
  if (draft.resolvedKey === null) {
    draft.resolvedAddress = stream.resolved ?? null;
    draft.resolvedKey = stream.resolvedKey ?? null;
  }
  if (stream.lastSeen !== undefined && stream.lastSeen > (draft.lastSeen ?? '')) {
    draft.lastSeen = stream.lastSeen;
  }
  draft.listed = true;
  const after = JSON.stringify([
    draft.format,
    draft.bitrate,
    draft.lastSeen,
    draft.resolvedKey,
    draft.listed,
  ]);
  if (after !== before) draft.changed = true;
}

/** The reliability of a stream before our first probe: few data points give an optimistic figure. */
function firstReliability({ clean: { stream } }: ResolvedRecord): number {
  if (stream.dead) return 5;
  if (stream.lastCheckOk === undefined) return 60;
  return stream.lastCheckOk ? 90 : 20;
}
