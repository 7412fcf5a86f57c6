/** One of many, which knows where it stands. */
export interface Member {
  place: number;
}

/**
 * Many that come and go, thousands a second. As a `Set`, but it leaves nothing behind: whenever a Set makes room it keeps
 * the table it had, with all that was in it, until the next full garbage collection.
 */
export class Crowd<M extends Member> {
  readonly #members: M[] = [];

  get size(): number {
    return this.#members.length;
  }

  add(member: M): void {
    member.place = this.#members.length;
    this.#members.push(member);
  }

  /** The last one takes the place that becomes free. */
  delete(member: M): void {
    if (this.#members[member.place] !== member) return;
    const last = this.#members.pop();
    if (!last || last === member) return;
    this.#members[member.place] = last;
    last.place = member.place;
  }

  /** As they are now: whoever comes or goes meanwhile does not matter. */
  all(): M[] {
    return [...this.#members];
  }
}
