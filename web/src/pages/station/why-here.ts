import type { ExplainedStream } from '@longwave/client';
import type { MessageKey } from '../../words/messages.ts';
import { healthOf } from './stream-facts.ts';

const BY_FORMAT = new Set(['format', 'unknown-format', 'hls']);

/** Why a stream is tried when it is, or is not; `given` is how many this browser is given. */
export function whyHere(
  stream: Pick<ExplainedStream, 'position' | 'code' | 'verdict'>,
  given: number,
): MessageKey {
  const { position, code } = stream;
  if (position === undefined) return BY_FORMAT.has(code) ? 'station.placeFormat' : 'station.placeLeftOut';
  if (given === 1) return 'station.placeOnly';
  if (healthOf(stream) === 'trouble') return 'station.placeSunk';
  return position === 1 ? 'station.placeFirst' : 'station.placeLater';
}
