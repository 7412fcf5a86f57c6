/** A preset's place in its folder. */
export interface Place {
  id: number;
  position: number;
}

/**
 * Where the others go when a preset takes a number; only those that move. Numbers are a radio's buttons: a gap stays one
 * until it is needed. The run of presets from the number on moves up into the first gap. For a preset that comes from
 * another number of the same folder its own old place is such a gap, and the run moves towards it.
 */
export function makeRoom(others: readonly Place[], number: number, from?: number): Place[] {
  const taken = new Map(others.map(({ id, position }) => [position, id]));
  const step = from !== undefined && from < number ? -1 : 1;
  const moved: Place[] = [];
  for (let at = number; ; at += step) {
    const id = taken.get(at);
    if (id === undefined) return moved;
    moved.push({ id, position: at + step });
  }
}
