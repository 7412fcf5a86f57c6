import type { RowOf } from '../../storage/db/statement.ts';
import type { ResolvedRecord } from './clean-record.ts';
import { deriveStation, MAX_VOTING } from './derive-station.ts';
import { foldRecord, type StationDraft } from './drafts.ts';
import type { findFacts } from './known-rows.ts';
import { resolveAgain, type ResolvePlace } from './rederive.ts';

/** The records of the stations that a batch may touch, in order of arrival; stored ones are read when they are needed. */
export class Members {
  readonly #stored: Map<number, RowOf<typeof findFacts.columns>[]>;
  readonly #records = new Map<StationDraft, ResolvedRecord[]>();
  readonly #resolvePlaceOf: ResolvePlace;

  constructor(stored: readonly RowOf<typeof findFacts.columns>[], resolvePlaceOf: ResolvePlace) {
    this.#stored = Map.groupBy(stored, (row) => row.station_id);
    this.#resolvePlaceOf = resolvePlaceOf;
  }

  found(station: StationDraft, record: ResolvedRecord): void {
    this.#records.set(station, [record]);
  }

  /** Adds a record to a station, which is then what most of them say. */
  join(station: StationDraft, record: ResolvedRecord): void {
    const records = this.#of(station);
    const [first, ...rest] = records;
    records.push(record);
    // A station without records was entered by other means; what it says stays.
    if (!first) return foldRecord(station, record);
    if (records.length > MAX_VOTING) return;
    const { id, isNew, changed } = station;
    const before = JSON.stringify(contentsOf(station));
    Object.assign(station, deriveStation([first, ...rest, record]), { id, isNew });
    station.changed = changed || before !== JSON.stringify(contentsOf(station));
  }

  #of(station: StationDraft): ResolvedRecord[] {
    const known = this.#records.get(station);
    if (known) return known;
    const rows = this.#stored.get(station.id) ?? [];
    const records = rows.map((row) => resolveAgain(this.#resolvePlaceOf, row));
    this.#records.set(station, records);
    return records;
  }
}

/** All that is written, in one order. */
const contentsOf = ({
  id: _id,
  isNew: _isNew,
  changed: _changed,
  mergedInto: _into,
  ...contents
}: StationDraft) => Object.entries(contents).toSorted(([one], [other]) => (one < other ? -1 : 1));
