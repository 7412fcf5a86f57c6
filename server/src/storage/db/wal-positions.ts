/** How far PostgreSQL's log of changes was written, in bytes; a position is known when it was answered. */
interface KnownPosition {
  bytes: number;
  /** When it was asked for: everything committed before that is in it. */
  askedMs: number;
}

/** Asked once a second, so this is longer than any server that is still of use has been behind. */
const MAX_POSITIONS = 120;

/**
 * How old the view of a replica is, by positions of its primary and nothing else: no clock of another machine is compared, and a
 * primary on which nothing happens makes nobody look old.
 */
export class WalPositions {
  readonly #known: KnownPosition[] = [];

  /** Where the primary was, oldest first. After a failover it may be behind where the old one was, and counts from there. */
  note(bytes: number, askedMs: number): void {
    if (bytes < (this.#known.at(-1)?.bytes ?? 0)) this.#known.length = 0;
    this.#known.push({ bytes, askedMs });
    if (this.#known.length > MAX_POSITIONS) this.#known.shift();
  }

  /**
   * By how many milliseconds a server that has replayed so far is behind the newest known position of the primary; Infinity if
   * it is behind all of them, or none is known. While the primary cannot be asked, nobody gets older.
   */
  behindMs(replayedBytes: number): number {
    const newest = this.#known.at(-1);
    const reached = this.#known.findLast(({ bytes }) => bytes <= replayedBytes);
    return newest && reached ? newest.askedMs - reached.askedMs : Infinity;
  }
}
