import type { ResolvedRecord } from './clean-record.ts';
import { foldRecord, foundStation, popularityOf, type StationDraft } from './drafts.ts';
import { fitsHomepage, isComparable, shareWord } from './name-evidence.ts';
import { isProven } from './recognise.ts';

/** A record whose own address or homepage speaks for its name counts as this many that stand for themselves. */
const PROVEN = 4;

/** More records than these do not vote: they say the same, or are spam. */
export const MAX_VOTING = 100;

const weights = new WeakMap<ResolvedRecord, number>();

/** How much a record counts: more with listeners, by orders of magnitude, and much more where its name is proven. */
export function weightOf(record: ResolvedRecord): number {
  const known = weights.get(record);
  if (known !== undefined) return known;
  const listeners = Math.floor(Math.log2(1 + popularityOf(record.clean)));
  const weight = (1 + listeners) * (isProven(record) ? PROVEN : 1);
  weights.set(record, weight);
  return weight;
}

/** Which records decide what. */
export interface Chosen {
  /** Whose name it is. */
  named: ResolvedRecord;
  /** Those that speak of the station of that name; nothing else that the others say counts. */
  speaking: readonly ResolvedRecord[];
  homepage: ResolvedRecord | undefined;
  place: ResolvedRecord;
}

/** The name is decided first: a record that calls the station otherwise has mistaken its address for another's. */
export function chooseRecords(all: readonly [ResolvedRecord, ...ResolvedRecord[]]): Chosen {
  const records = all.slice(0, MAX_VOTING);
  const own = records.filter(({ isByHand }) => isByHand !== true);
  const named = chooseName(isSome(own) ? own : all);
  const speaking = supportersOf(named, records);
  return { named, speaking, homepage: chooseHomepage(named, speaking), place: choosePlace(speaking, named) };
}

/** A station is what most of its records say, by weight; of equals the one that came first. */
export function deriveStation(records: readonly [ResolvedRecord, ...ResolvedRecord[]]): StationDraft {
  const { named, speaking, homepage, place } = chooseRecords(records);
  const draft = foundStation({ ...named, ...placeOf(place) });
  for (const record of speaking) foldRecord(draft, { ...record, ...placeOf(place) });
  draft.homepage = homepage?.clean.homepage ?? null;
  draft.homepageHost = homepage?.clean.homepageHost ?? null;
  return draft;
}

const isSome = <T>(items: readonly T[]): items is [T, ...T[]] => items.length > 0;

const placeOf = ({ countryId, regionId, coordinate, pointSource, zone }: ResolvedRecord) => ({
  countryId,
  regionId,
  coordinate,
  pointSource,
  zone,
});

/** The value of the records with the greatest weight together, as its first record; records without one do not vote. */
function elect(
  records: readonly ResolvedRecord[],
  valueOf: (record: ResolvedRecord) => string | number | null | undefined,
  countOf: (record: ResolvedRecord) => number = weightOf,
): ResolvedRecord | undefined {
  const counts = new Map<string | number, { first: ResolvedRecord; count: number }>();
  for (const record of records) {
    const value = valueOf(record);
    if (value === null || value === undefined) continue;
    const entry = counts.get(value);
    if (entry) entry.count += countOf(record);
    else counts.set(value, { first: record, count: countOf(record) });
  }
  let best: { first: ResolvedRecord; count: number } | undefined;
  for (const entry of counts.values()) if (!best || entry.count > best.count) best = entry;
  return best?.first;
}

/** Spellings that have a word in common support each other by half. */
function chooseName(records: readonly [ResolvedRecord, ...ResolvedRecord[]]): ResolvedRecord {
  const [first] = records;
  const byKey = Map.groupBy(records, ({ clean }) => clean.nameKey);
  if (byKey.size === 1) return elect(records, ({ clean }) => clean.name) ?? first;
  const groups = [...byKey.values()].map((group) => ({
    group,
    name: group[0]?.clean.name ?? '',
    weight: sum(group),
  }));
  let best = { group: byKey.get(first.clean.nameKey) ?? [first], score: -1 };
  for (const { group, name, weight } of groups) {
    const allies = groups.filter((other) => other.group !== group && shareWord(name, other.name));
    const score = 2 * weight + allies.reduce((total, ally) => total + ally.weight, 0);
    if (score > best.score) best = { group, score };
  }
  return elect(best.group, ({ clean }) => clean.name) ?? first;
}

const sum = (records: readonly ResolvedRecord[]): number =>
  records.reduce((total, record) => total + weightOf(record), 0);

/** Records that speak of the station of that name, in order of arrival. */
function supportersOf(named: ResolvedRecord, records: readonly ResolvedRecord[]): ResolvedRecord[] {
  const { name, nameKey } = named.clean;
  if (records.every(({ clean }) => clean.nameKey === nameKey)) return [...records];
  return records.filter(
    ({ clean }) =>
      clean.nameKey === nameKey ||
      shareWord(clean.name, name) ||
      (clean.homepageHost !== undefined && fitsHomepage(name, clean.homepageHost)) ||
      isComparable(clean.name) !== isComparable(name),
  );
}

function chooseHomepage(
  { clean: { name } }: ResolvedRecord,
  speaking: readonly ResolvedRecord[],
): ResolvedRecord | undefined {
  const chosen = elect(
    speaking,
    ({ clean }) => clean.homepageHost,
    (record) => weightOf(record) * (fitsHomepage(name, record.clean.homepageHost ?? '') ? PROVEN : 1),
  );
  const host = chosen?.clean.homepageHost;
  const ofHost = speaking.filter(({ clean }) => clean.homepageHost === host);
  return ofHost.find(({ clean }) => clean.homepage !== undefined) ?? chosen;
}

/** The country of most, and in it the region of most of those who know a point; else of those who know a region. */
function choosePlace(speaking: readonly ResolvedRecord[], named: ResolvedRecord): ResolvedRecord {
  const country = elect(speaking, ({ countryId }) => countryId);
  if (!country) return elect(speaking, ({ coordinate, regionId }) => coordinate && (regionId ?? 0)) ?? named;
  const there = speaking.filter(({ countryId }) => countryId === country.countryId);
  return (
    elect(there, ({ coordinate, regionId }) => coordinate && (regionId ?? 0)) ??
    elect(there, ({ regionId }) => regionId) ??
    country
  );
}
