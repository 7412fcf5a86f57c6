/** A show that a station has on air. */
export interface ShowOnAir {
  readonly showId: number;
  readonly showTitle: string;
}

/** What is known about a station that has a schedule, in milliseconds since 1970. */
export interface AirTime {
  readonly stationId: number;
  readonly show: ShowOnAir | undefined;
  /** When the show ends. */
  readonly endsMs: number;
  /** When something else starts: after the show, or inside it, as a news bulletin does. */
  readonly changesMs: number;
}

/** What the stations of a snapshot have on air. Immutable; the stamp is unique for the snapshot. */
export interface OnAirNow {
  readonly stamp: number;
  /** The stations by rank, and their shows, in the same order. */
  readonly ranks: readonly number[];
  readonly shows: readonly ShowOnAir[];
  /** The index of a rank in that order. */
  readonly placeOf: ReadonlyMap<number, number>;
}

/** The part of a snapshot that gives each station's rank. */
interface RankedStations {
  readonly stationById: ReadonlyMap<number, { readonly rank: number }>;
}

/** More than all stations with a schedule; stations beyond this are listed without their show. */
export const MAX_SCHEDULED = 200_000;

/** Which show each station has on air now, as far as its schedule is known. */
export class OnAirBoard {
  readonly #known = new Map<number, AirTime>();
  #shown: ReadonlyMap<number, ShowOnAir> = new Map();
  #stamp = 0;
  #ranked: { snapshot: RankedStations; now: OnAirNow | undefined } | undefined;

  /** Undefined while none of the stations has anything on air. */
  on(snapshot: RankedStations): OnAirNow | undefined {
    if (this.#shown.size === 0) return undefined;
    if (this.#ranked?.snapshot !== snapshot) this.#ranked = { snapshot, now: this.#rankedIn(snapshot) };
    return this.#ranked.now;
  }

  /** How many stations have a show on air. */
  get size(): number {
    return this.#shown.size;
  }

  /** Replaces what was known about these stations; shown from the next `turn` on. */
  learn(airTimes: Iterable<AirTime>): void {
    for (const airTime of airTimes)
      if (this.#known.size < MAX_SCHEDULED || this.#known.has(airTime.stationId))
        this.#known.set(airTime.stationId, airTime);
  }

  /** Removes all stations except these. */
  keepOnly(stationIds: ReadonlySet<number>): void {
    for (const id of this.#known.keys()) if (!stationIds.has(id)) this.#known.delete(id);
  }

  /** The stations whose known entry is no longer what is on air. */
  idsOfChanged(nowMs: number): number[] {
    return [...this.#known.values()]
      .filter(({ changesMs }) => changesMs <= nowMs)
      .map((one) => one.stationId);
  }

  /** Publishes every known show that has not ended. The stamp changes only if the result does. */
  turn(nowMs: number): void {
    const shown = new Map<number, ShowOnAir>();
    for (const { stationId, show, endsMs } of this.#known.values())
      if (show && endsMs > nowMs) shown.set(stationId, show);
    if (isSame(shown, this.#shown)) return;
    this.#shown = shown;
    this.#stamp += 1;
    this.#ranked = undefined;
  }

  #rankedIn({ stationById }: RankedStations): OnAirNow | undefined {
    const ranks: number[] = [];
    const shows: ShowOnAir[] = [];
    for (const [id, show] of this.#shown) {
      const station = stationById.get(id);
      if (!station) continue;
      ranks.push(station.rank);
      shows.push(show);
    }
    const placeOf = new Map(ranks.map((rank, place) => [rank, place]));
    return ranks.length > 0 ? { stamp: this.#stamp, ranks, shows, placeOf } : undefined;
  }
}

function isSame(one: ReadonlyMap<number, ShowOnAir>, other: ReadonlyMap<number, ShowOnAir>): boolean {
  if (one.size !== other.size) return false;
  for (const [id, { showId, showTitle }] of one) {
    const show = other.get(id);
    if (show?.showId !== showId || show.showTitle !== showTitle) return false;
  }
  return true;
}
