class Act implements Member {
  place = 0;
  readonly run: () => void;

  constructor(run: () => void) {
    this.run = run;
  }
}

const watched = new WeakMap<AbortSignal, SwapRemoveList<Act>>();

/**
 * Runs a callback when the signal aborts; returns a function that unregisters it. All callbacks share one listener per
 * signal: adding or removing a listener walks the whole list, and a worker's signal has hundreds.
 */
export function whenAborted(signal: AbortSignal, run: () => void): () => void {
  const acts = watched.get(signal) ?? watchedFrom(signal);
  const act = new Act(run);
  acts.add(act);
  return () => acts.delete(act);
}

function watchedFrom(signal: AbortSignal): SwapRemoveList<Act> {
  const acts = new SwapRemoveList<Act>();
  watched.set(signal, acts);
  const runAll = (): void => {
    for (const act of acts.all()) act.run();
  };
  signal.addEventListener('abort', runAll, { once: true });
  return acts;
}

/** A list member that stores its own index. */
export interface Member {
  place: number;
}

/**
 * A collection for thousands of additions and removals a second. Unlike a `Set` it leaves no garbage: a Set that
 * rehashes keeps its old table, with everything in it, alive until the next full garbage collection.
 */
export class SwapRemoveList<M extends Member> {
  readonly #members: M[] = [];

  get size(): number {
    return this.#members.length;
  }

  add(member: M): void {
    member.place = this.#members.length;
    this.#members.push(member);
  }

  /** Moves the last member into the free slot. */
  delete(member: M): void {
    if (this.#members[member.place] !== member) return;
    const last = this.#members.pop();
    if (!last || last === member) return;
    this.#members[member.place] = last;
    last.place = member.place;
  }

  /** A copy, so that members may be added and removed while iterating. */
  all(): M[] {
    return [...this.#members];
  }
}
