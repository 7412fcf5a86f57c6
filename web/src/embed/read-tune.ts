import type { Tuned } from '../player/engine/deps.ts';
import type { PlayerStream } from '../player/engine/state.ts';

/** Tune's answer in JSON. With a reason, its only stream is a spoken announcement: then there is nothing to play. */
export function readTune(answer: unknown): Tuned {
  const lines = isRecord(answer) && Array.isArray(answer['body']) ? answer['body'].filter(isRecord) : [];
  const reasons = lines.map((line) => textOf(line['reason']));
  if (reasons.some((reason) => reason !== ''))
    return { streams: [], isIncompatible: reasons.some((reason) => reason.startsWith('No stream for')) };
  return { streams: lines.map(toStream).filter(({ address }) => address !== ''), isIncompatible: false };
}

const toStream = (line: Record<string, unknown>): PlayerStream => ({
  address: textOf(line['url']),
  guideId: textOf(line['guide_id']),
  mediaType: textOf(line['media_type']),
  bitrate: Number(line['bitrate']) || 0,
});

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
