import type { EngineDeps, Failure } from './deps.ts';
import type { PlayerItem, PlayerStream } from './state.ts';

/** A stream that was given up. */
export interface Lost {
  stream: PlayerStream;
  failure: Failure;
}

/** Reports each once, however often it was tried. */
export function reportLost(lost: readonly Lost[], item: PlayerItem, report: EngineDeps['report']): void {
  const said = new Set<PlayerStream>();
  for (const { stream, failure } of lost) {
    if (!said.has(stream)) report(item, stream, failure);
    said.add(stream);
  }
}
