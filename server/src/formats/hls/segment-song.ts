import { boxesOf } from '../audio/boxes.ts';
import { demux, isTransportStream } from '../audio/transport-stream.ts';
import { namedSong } from '../icy/split-song.ts';
import type { SongText } from '../song-text.ts';
import { id3Length, id3Song, isId3 } from './id3-song.ts';

const MOST_TAGS = 20;

/** The song that a segment of HLS names in its timed metadata: in a tag before AAC, inside of MPEG-TS, or of fMP4. */
export function segmentSong(bytes: Buffer): SongText | undefined {
  const tags = isTransportStream(bytes)
    ? demux(bytes).metadata
    : isId3(bytes)
      ? leadingTags(bytes)
      : messages(bytes);
  const newest = tags.map((tag) => id3Song(tag)).findLast((song) => song !== undefined);
  return newest && namedSong(newest);
}

/** The first is often only a clock. */
function leadingTags(bytes: Buffer): Buffer[] {
  const tags: Buffer[] = [];
  for (let rest = bytes; isId3(rest) && tags.length < MOST_TAGS; rest = rest.subarray(id3Length(rest)))
    tags.push(rest);
  return tags;
}

const messages = (bytes: Buffer): Buffer[] =>
  boxesOf(bytes)
    .filter(({ type }) => type === 'emsg')
    .slice(0, MOST_TAGS)
    .map(({ content }) => messageOf(content));

const VERSION_AND_FLAGS = 4;
/** Time and length of the event: in front of its two texts since version 1, behind them before. */
const NUMBERS = { before: 20, behind: 16 };

function messageOf(content: Buffer): Buffer {
  const isOlder = content[0] === 0;
  const texts = content.subarray(VERSION_AND_FLAGS + (isOlder ? 0 : NUMBERS.before));
  const scheme = texts.indexOf(0);
  const value = texts.indexOf(0, scheme + 1);
  if (scheme === -1 || value === -1) return content.subarray(0, 0);
  return texts.subarray(value + 1 + (isOlder ? NUMBERS.behind : 0));
}
