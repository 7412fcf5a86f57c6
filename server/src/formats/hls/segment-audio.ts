import { aacConfig, adtsOfFragments } from '../audio/fragmented-mp4.ts';
import { findStart, readAdtsFrame, readMpegFrame } from '../audio/frames.ts';
import { demux, isTransportStream } from '../audio/transport-stream.ts';
import { withoutTags } from './segment-song.ts';

const BOXES = new Set(['styp', 'moof', 'sidx', 'emsg', 'ftyp', 'prft', 'free']);

/** The sound of a segment as a radio plays it: MP3, or AAC in ADTS. Undefined where it is neither. */
export function segmentAudio(segment: Buffer, map: Buffer | undefined): Buffer | undefined {
  if (isTransportStream(segment)) return demux(segment).audio;
  if (!BOXES.has(segment.toString('latin1', 4, 8))) return framesOf(withoutTags(segment));
  const config = map && aacConfig(map);
  return config && adtsOfFragments(segment, config);
}

/** Undefined where there are none, as in a web page that is sent in place of a segment. A very short one may have but one. */
function framesOf(bytes: Buffer): Buffer | undefined {
  const hasFrames = [readMpegFrame, readAdtsFrame].some(
    (read) => read(bytes, 0) !== undefined || findStart(bytes, read) !== undefined,
  );
  return hasFrames ? bytes : undefined;
}
