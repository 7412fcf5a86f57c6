import { createReadStream } from 'node:fs';
import { cleanRecord, type ResolvedRecord } from '../../src/import/pipeline/clean-record.ts';
import { foundStation, foundStream, type StationDraft } from '../../src/import/pipeline/drafts.ts';
import { StationMembers } from '../../src/import/pipeline/members.ts';
import { Known } from '../../src/import/pipeline/recognise.ts';
import { readRadioBrowser } from '../../src/import/sources/radio-browser/record.ts';

/** Enough of a record's id to tell it from 86,888 others. */
const ID_LENGTH = 13;
const shortId = (id: string): string => id.slice(0, ID_LENGTH);

/**
 * Recognises a file of stations as an import does, but all in memory and without a database: a country is its code, a place
 * its coordinate. Returns the station of each record, by the record's short id.
 */
export async function replayImport(file: string): Promise<Map<string, StationDraft>> {
  const known = new Known();
  const members = new StationMembers([], () => {
    throw new Error('nothing is stored here');
  });
  const countries = new Map<string, number>();
  const stations = new Map<string, StationDraft>();
  for await (const item of readRadioBrowser(createReadStream(file))) {
    const record = 'record' in item ? resolve(item.record, countries) : undefined;
    if (record) stations.set(shortId(record.record), match(known, members, record));
  }
  return stations;
}

type Raw = Parameters<typeof cleanRecord>[0];

function resolve(raw: Raw, countries: Map<string, number>): ResolvedRecord | undefined {
  const cleaned = cleanRecord(raw);
  if ('refused' in cleaned) return undefined;
  const { station: clean } = cleaned;
  const country = clean.countryCode ?? clean.countryName;
  return {
    source: raw.source,
    record: raw.record,
    digest: '',
    facts: '',
    clean,
    countryId:
      country === undefined ? null : countries.getOrInsertComputed(country, () => countries.size + 1),
    regionId: null,
    coordinate: clean.coordinate ?? null,
    pointSource: clean.coordinate ? (clean.pointSource ?? 'claim') : null,
    zone: null,
    genreIds: [],
    languageIds: [],
  };
}

function match(known: Known, members: StationMembers, record: ResolvedRecord): StationDraft {
  const found = known.findStation(record)?.station;
  const station = found ?? foundStation(record);
  const before = station.nameKey;
  if (found) {
    members.join(station, record);
    if (station.nameKey !== before) known.renameStation(station, before);
  } else {
    members.found(station, record);
    known.addStation(station);
  }
  if (!known.findStream(record.clean.stream.addressKey)) known.addStream(foundStream(station, record));
  return station;
}
