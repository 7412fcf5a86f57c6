import { Crowd, type Member } from './crowd.ts';

class Act implements Member {
  place = 0;
  readonly run: () => void;

  constructor(run: () => void) {
    this.run = run;
  }
}

const watched = new WeakMap<AbortSignal, Crowd<Act>>();

/**
 * Does that when the signal comes; gives what takes it back. As a listener of the signal would, of which there is one for
 * all here: a signal goes through all listeners it has whenever one comes or goes, and a worker's has hundreds.
 */
export function whenAborted(signal: AbortSignal, run: () => void): () => void {
  const acts = watched.get(signal) ?? watchedFrom(signal);
  const act = new Act(run);
  acts.add(act);
  return () => acts.delete(act);
}

function watchedFrom(signal: AbortSignal): Crowd<Act> {
  const acts = new Crowd<Act>();
  watched.set(signal, acts);
  const runAll = (): void => {
    for (const act of acts.all()) act.run();
  };
  signal.addEventListener('abort', runAll, { once: true });
  return acts;
}
