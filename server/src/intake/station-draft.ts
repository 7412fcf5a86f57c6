import type { Coordinate } from '../lib/geo.ts';
import type { SettledRecord } from './settled-record.ts';

/** A station while a batch works on it: a row that is already there, or one that will be. */
export interface StationDraft {
  id: number;
  isNew: boolean;
  /** What its records say has moved; the row must be written. */
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
  zone: string | null;
  votes: number;
  clicks: number;
  genreIds: number[];
  languageIds: number[];
  logo: string | null;
}

const MOST_GENRES = 8;
const MOST_LANGUAGES = 5;

/** A station as its first record founds it. */
export function foundStation(record: SettledRecord): StationDraft {
  const { clean } = record;
  const draft: StationDraft = {
    id: 0,
    isNew: true,
    changed: true,
    name: clean.name,
    nameKey: clean.nameKey,
    callSign: null,
    frequency: null,
    band: null,
    homepage: null,
    homepageHost: null,
    countryId: record.countryId,
    regionId: record.regionId,
    coordinate: null,
    zone: null,
    votes: 0,
    clicks: 0,
    genreIds: [],
    languageIds: [],
    logo: null,
  };
  foldRecord(draft, record);
  return draft;
}

/** Adds what one more record knows: what is known stays, what is missing is filled, counts take the larger. */
export function foldRecord(draft: StationDraft, record: SettledRecord): void {
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
  append(draft, 'genreIds', record.genreIds, MOST_GENRES);
  append(draft, 'languageIds', record.languageIds, MOST_LANGUAGES);
}

/** Region, coordinate and zone belong together: a record that knows where takes the place of one that knew only which country. */
function foldPlace(draft: StationDraft, record: SettledRecord): void {
  const elsewhere = draft.countryId !== null && record.countryId !== draft.countryId;
  if (draft.coordinate !== null || elsewhere) return;
  if (record.coordinate === null && draft.regionId !== null) return;
  if (record.countryId === null && record.coordinate === null) return;
  draft.changed = true;
  draft.countryId = record.countryId;
  draft.regionId = record.regionId;
  draft.coordinate = record.coordinate;
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

/** A click is a listener, a vote an opinion that may be years old. */
export const popularityOf = ({ votes, clicks }: { votes: number; clicks: number }): number =>
  votes + 5 * clicks;
