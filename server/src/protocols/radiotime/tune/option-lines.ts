import type { Outline } from '../../../formats/opml/document.ts';
import { streamOutline } from '../outlines/stream-outlines.ts';
import type { Words } from '../../../core/i18n/words.ts';
import type { StreamChoice } from './choice.ts';

/** One line per stream. If nothing can be played, one that leads to the announcement through the requested id. */
export function optionLines({ tuned, streams, isAnnouncement }: StreamChoice, words: Words): Outline[] {
  const lines = streams.map((stream) => streamOutline(stream));
  if (!isAnnouncement) return lines;
  const { guideId } = tuned;
  const target = { path: '/Tune.ashx', params: [['id', guideId]] } as const;
  const text = words.text('tune.nothing');
  return lines.map((line) => ({ ...line, text, target, guideId, nowPlayingId: guideId }));
}
