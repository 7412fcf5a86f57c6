import type { EngineNeeds, Failure } from './needs.ts';
import type { PlayerItem, PlayerStream } from './state.ts';

/** A stream that was given up. */
export interface Lost {
  stream: PlayerStream;
  failure: Failure;
}

/** Tells of each once, however often it was tried. */
export function tellOf(lost: readonly Lost[], item: PlayerItem, report: EngineNeeds['report']): void {
  const told = new Set<PlayerStream>();
  for (const { stream, failure } of lost) {
    if (!told.has(stream)) report(item, stream, failure);
    told.add(stream);
  }
}
