/** The nearest few of many stations, kept in order: the shorter distance first, then the lower rank. */
export class Nearest {
  /** The distance beyond which nothing gets in any more. */
  farthest: number;
  /** In order. */
  readonly ranks: number[] = [];
  readonly #distances: number[] = [];
  readonly #room: number;

  /** Nothing farther than `limit` gets in. */
  constructor(room: number, limit = Infinity) {
    this.#room = room;
    this.farthest = limit;
  }

  /** A place in a sorted array: of thousands offered few get in, and most of those at the end. False when there is none. */
  offer(distance: number, rank: number): boolean {
    if (distance > this.farthest) return false;
    const distances = this.#distances;
    const { ranks } = this;
    let place = ranks.length;
    if (place === this.#room && !isAfter(distances[--place]!, ranks[place]!, distance, rank)) return false;
    for (; place > 0 && isAfter(distances[place - 1]!, ranks[place - 1]!, distance, rank); place--) {
      ranks[place] = ranks[place - 1]!;
      distances[place] = distances[place - 1]!;
    }
    ranks[place] = rank;
    distances[place] = distance;
    if (ranks.length === this.#room) this.farthest = distances[this.#room - 1]!;
    return true;
  }
}

const isAfter = (otherDistance: number, otherRank: number, distance: number, rank: number): boolean =>
  otherDistance > distance || (otherDistance === distance && otherRank > rank);
