/** What an operator's changes come to, in plain memory: the model that the database is held against. */

interface ModelStream {
  id: number;
  station: number;
  /** What its record calls the station. */
  name: string;
  /** The record's place: a station is called by its first one. */
  ordinal: number;
}

export interface ModelStation {
  id: number;
  into: number | null;
}

type Field = 'name' | 'slogan' | 'hidden';

export interface ModelChange {
  id: number;
  undone: boolean;
  station: number;
  other?: number;
  does: Field | 'merge' | 'split';
  value?: unknown;
  /** Where the moved streams were. */
  moved?: { id: number; ordinal: number }[];
  /** Stations that were part of the one that was merged. */
  followers?: number[];
}

/** Makes a change in the model, once the database has given it a number; undefined where it is refused. */
type Make = ((id: number, part?: number) => void) | undefined;

export class OperatorModel {
  readonly stations: ModelStation[] = [];
  readonly changes: ModelChange[] = [];
  readonly #streams: ModelStream[];
  #lastOrdinal: number;

  constructor(streams: ModelStream[]) {
    this.#streams = streams;
    this.#lastOrdinal = Math.max(...streams.map(({ ordinal }) => ordinal)) + 1_000_000;
    for (const id of new Set(streams.map(({ station }) => station))) this.stations.push({ id, into: null });
  }

  stationAt(index: number): ModelStation {
    const station = this.stations[index % this.stations.length];
    if (!station) throw new Error('a world without stations');
    return station;
  }

  streamsOf(station: number): number[] {
    return this.#streams.filter((stream) => stream.station === station).map(({ id }) => id);
  }

  set(station: ModelStation, does: Field, value: unknown): Make {
    if (station.into !== null) return undefined;
    if (does === 'hidden' ? this.#isHidden(station) === value : this.#last(station.id, does)?.value === value)
      return undefined;
    return (id) => void this.changes.push({ id, undone: false, station: station.id, does, value });
  }

  merge(kept: ModelStation, gone: ModelStation): Make {
    if (kept === gone || kept.into !== null || gone.into !== null) return undefined;
    if (this.#isHidden(kept) !== this.#isHidden(gone)) return undefined;
    return (id) => {
      const streams = this.#streams
        .filter(({ station }) => station === gone.id)
        .toSorted((a, b) => a.ordinal - b.ordinal);
      const moved = streams.map((stream) => ({ id: stream.id, ordinal: stream.ordinal }));
      for (const stream of streams) {
        this.#lastOrdinal += 1;
        Object.assign(stream, { station: kept.id, ordinal: this.#lastOrdinal });
      }
      const followers = this.stations.filter(({ into }) => into === gone.id);
      for (const station of [gone, ...followers]) station.into = kept.id;
      const followerIds = followers.map((station) => station.id);
      this.changes.push({
        id,
        undone: false,
        station: kept.id,
        other: gone.id,
        does: 'merge',
        moved,
        followers: followerIds,
      });
    };
  }

  split(station: ModelStation, streams: readonly number[]): Make {
    const own = this.streamsOf(station.id);
    if (station.into !== null || this.#isHidden(station) || streams.some((id) => !own.includes(id)))
      return undefined;
    if (streams.length === own.length || streams.length === 0) return undefined;
    return (id, part = 0) => {
      const moving = this.#streams.filter((stream) => streams.includes(stream.id));
      const moved = moving.map((stream) => ({ id: stream.id, ordinal: stream.ordinal }));
      for (const stream of moving) stream.station = part;
      this.stations.push({ id: part, into: null });
      this.changes.push({ id, undone: false, station: station.id, other: part, does: 'split', moved });
    };
  }

  revert(change: ModelChange | undefined): Make {
    if (!change || change.undone || this.#station(change.station).into !== null) return undefined;
    if (this.changes.some((later) => later.id > change.id && !later.undone && isInTheWay(change, later)))
      return undefined;
    return () => {
      change.undone = true;
      if (change.does === 'merge') this.#unmerge(change);
      if (change.does === 'split') this.#unsplit(change);
    };
  }

  #unmerge({ station, other = 0, moved = [], followers = [] }: ModelChange): void {
    for (const { id, ordinal } of moved) {
      const stream = this.#streams.find((one) => one.id === id && one.station === station);
      if (stream) Object.assign(stream, { station: other, ordinal });
    }
    this.#station(other).into = null;
    for (const id of followers) this.#station(id).into = other;
  }

  #unsplit({ station, other = 0 }: ModelChange): void {
    for (const stream of this.#streams) if (stream.station === other) stream.station = station;
    this.#station(other).into = station;
  }

  /** The rows as they must be. A station that has no stream is called whatever it was called. */
  expected(rows: readonly { id: number; name: string }[]): unknown[] {
    return this.stations
      .toSorted((a, b) => a.id - b.id)
      .map(({ id, into }, index) => {
        const own = this.#streams
          .filter(({ station }) => station === id)
          .toSorted((a, b) => a.ordinal - b.ordinal);
        const name = this.#last(id, 'name')?.value ?? own[0]?.name ?? rows[index]?.name;
        const slogan = this.#last(id, 'slogan')?.value ?? null;
        const hidden = this.#last(id, 'hidden')?.value ?? false;
        return {
          id,
          name,
          slogan,
          hidden,
          into,
          streams: own.map((stream) => stream.id).toSorted((a, b) => a - b),
        };
      });
  }

  #station(id: number): ModelStation {
    const station = this.stations.find((one) => one.id === id);
    if (!station) throw new Error(`the model has no station ${id}`);
    return station;
  }

  #last(station: number, does: Field): ModelChange | undefined {
    return this.changes.findLast(
      (change) => change.station === station && change.does === does && !change.undone,
    );
  }

  #isHidden({ id }: ModelStation): boolean {
    return this.#last(id, 'hidden')?.value === true;
  }
}

function isInTheWay(change: ModelChange, later: ModelChange): boolean {
  if (change.does !== 'merge' && change.does !== 'split')
    return later.station === change.station && later.does === change.does;
  const touches = (id: number | undefined): boolean => later.station === id || later.other === id;
  if (touches(change.other)) return true;
  if (touches(change.station) && later.does === 'hidden') return true;
  if (change.does !== 'merge' || later.does !== 'split' || later.station !== change.station) return false;
  return later.moved?.some(({ id }) => change.moved?.some((one) => one.id === id)) ?? false;
}
