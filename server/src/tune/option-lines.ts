import type { Outline } from '../opml/document.ts';
import { streamOutline } from '../opml/stream-outlines.ts';
import type { Words } from '../words/words.ts';
import type { Choice } from './choice.ts';

/** A line for each stream. Where nothing can be played one that leads to the announcement, by way of what was asked for. */
export function optionLines({ tuned, streams, isAnnouncement }: Choice, words: Words): Outline[] {
  const lines = streams.map((stream) => streamOutline(stream));
  if (!isAnnouncement) return lines;
  const { guideId } = tuned;
  const target = { path: '/Tune.ashx', params: [['id', guideId]] } as const;
  const text = words.text('tune.nothing');
  return lines.map((line) => ({ ...line, text, target, guideId, nowPlayingId: guideId }));
}
