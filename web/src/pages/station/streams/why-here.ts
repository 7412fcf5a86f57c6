import type { ExplainedStream } from '@longwave/client';
import type { MessageKey } from '../../../i18n/messages.ts';
import { healthOf } from './stream-facts.ts';

const BY_FORMAT = new Set(['format', 'unknown-format', 'hls']);

/** Why a stream has its position, or is not offered; `given` is how many this browser is offered. */
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
