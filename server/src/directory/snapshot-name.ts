import type { Snapshot } from './snapshot.ts';

const names = new WeakMap<Snapshot, string>();

/** For the keys of what is kept of a snapshot. A restored catalogue can have a version that was there before. */
export function snapshotName(snapshot: Snapshot): string {
  let name = names.get(snapshot);
  if (name === undefined) {
    name = `${snapshot.version}@${snapshot.changedAt.toString()}`;
    names.set(snapshot, name);
  }
  return name;
}
