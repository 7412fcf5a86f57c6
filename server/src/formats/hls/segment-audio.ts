import { aacConfig, adtsOfFragments } from '../audio/fragmented-mp4.ts';
import { demux, isTransportStream } from '../audio/transport-stream.ts';
import { withoutTags } from './segment-song.ts';

const BOXES = new Set(['styp', 'moof', 'sidx', 'emsg', 'ftyp', 'prft', 'free']);

/** The sound of a segment as a radio plays it: MP3, or AAC in ADTS. Undefined where it is neither. */
export function segmentAudio(segment: Buffer, map: Buffer | undefined): Buffer | undefined {
  if (isTransportStream(segment)) return demux(segment).audio;
  if (!BOXES.has(segment.toString('latin1', 4, 8))) return withoutTags(segment);
  const config = map && aacConfig(map);
  return config && adtsOfFragments(segment, config);
}
