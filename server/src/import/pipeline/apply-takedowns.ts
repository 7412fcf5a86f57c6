import { plainKey } from '../../core/cleaning/clean-name.ts';
import { homepageKey } from '../../core/cleaning/clean-homepage.ts';
import { addChange } from '../../storage/catalog/stations/station-changes.ts';
import {
  fieldNames,
  fieldsOf,
  type StationFields,
  holdStations,
  pinned,
  writeFields,
} from '../../storage/catalog/stations/station-fields.ts';
import {
  findTakedownEntries,
  type MatchingEntry,
  type TakedownEntry,
} from '../../storage/catalog/stations/takedowns.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import type { RecognisedBatch } from './batch.ts';
import type { StationDraft, StreamDraft } from './drafts.ts';

/**
 * Hides what a batch has added or renamed and a takedown names: a station by its name and country, its homepage or one of
 * its streams; of a station that was there before, only the new stream. Returns how many stations and streams it hid.
 */
export async function applyTakedowns(db: Queryable, batch: RecognisedBatch): Promise<number> {
  const stations = batch.stations.filter(({ isNew, isRenamed }) => isNew || isRenamed === true);
  const streams = batch.streams.filter(({ isNew }) => isNew);
  if (stations.length + streams.length === 0) return 0;
  const entries = await findTakedownEntries(db, [
    ...stations.flatMap(keysOfStation),
    ...streams.map(({ addressKey }) => ({ kind: 'stream', key: addressKey }) as const),
  ]);
  if (entries.length === 0) return 0;
  let hidden = 0;
  const hide = async (stationId: number, fields: StationFields, entry: MatchingEntry): Promise<void> => {
    await hideFields(db, stationId, fields, entry);
    hidden += 1;
  };
  const gone = new Set<StationDraft>();
  for (const station of stations) {
    const own = streams.filter((stream) => stream.station === station);
    const entry = entries.find(
      (candidate) => names(candidate, station) || own.some((stream) => isAt(candidate, stream)),
    );
    if (!entry) continue;
    gone.add(station);
    await hide(station.id, { listed: pinned(false) }, entry);
  }
  for (const stream of streams.filter(({ station }) => !gone.has(station))) {
    const entry = entries.find((candidate) => isAt(candidate, stream));
    if (entry) await hide(stream.station.id, { [`stream ${stream.id}` as const]: pinned(false) }, entry);
  }
  return hidden;
}

const pageOf = ({ homepage }: StationDraft): string | undefined =>
  homepage === null ? undefined : homepageKey(homepage);

function keysOfStation(station: StationDraft): Pick<TakedownEntry, 'kind' | 'key'>[] {
  const page = pageOf(station);
  const name = { kind: 'name', key: plainKey(station.nameKey) } as const;
  return page === undefined ? [name] : [name, { kind: 'homepage', key: page }];
}

function names({ kind, key, country_id: countryId }: MatchingEntry, station: StationDraft): boolean {
  if (kind === 'homepage') return key === pageOf(station);
  return (
    kind === 'name' &&
    key === plainKey(station.nameKey) &&
    (countryId === null || countryId === station.countryId)
  );
}

const isAt = ({ kind, key }: MatchingEntry, { addressKey }: StreamDraft): boolean =>
  kind === 'stream' && key === addressKey;

async function hideFields(
  db: Queryable,
  stationId: number,
  after: StationFields,
  { takedown_id: takedownId, why }: MatchingEntry,
): Promise<void> {
  const [station] = await holdStations(db, [stationId]);
  if (!station) return;
  const before = await fieldsOf(db, station, fieldNames(after));
  await writeFields(db, stationId, after);
  await addChange(db, { stationId, action: 'takedown', before, after, who: 'import', why, takedownId });
}
