/** The nearest few of many stations, kept in order: the shorter distance first, then the lower rank. */
export class Nearest {
  readonly ranks: number[] = [];
  readonly #distances: number[] = [];
  readonly #room: number;
  readonly #limit: number;

  /** Nothing farther than `limit` gets in. */
  constructor(room: number, limit = Infinity) {
    this.#room = room;
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.ranks.length === this.#room;
  }

  /** The distance beyond which nothing gets in any more. */
  get farthest(): number {
    return this.isFull ? (this.#distances.at(-1) ?? 0) : this.#limit;
  }

  /** A place in a sorted array: of thousands offered few get in, and most of those at the end. */
  offer(distance: number, rank: number): void {
    if (distance > this.farthest) return;
    let place = this.isFull ? this.#room - 1 : this.ranks.length;
    if (this.isFull && !this.#isAfter(place, distance, rank)) return;
    for (; place > 0 && this.#isAfter(place - 1, distance, rank); place--) {
      this.ranks[place] = this.ranks[place - 1]!;
      this.#distances[place] = this.#distances[place - 1]!;
    }
    this.ranks[place] = rank;
    this.#distances[place] = distance;
  }

  #isAfter(place: number, distance: number, rank: number): boolean {
    const apart = this.#distances[place]! - distance;
    return apart > 0 || (apart === 0 && this.ranks[place]! > rank);
  }
}
