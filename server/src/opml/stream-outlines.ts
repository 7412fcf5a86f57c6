import { guideId } from '../lib/guide-id.ts';
import type { StreamFormat } from '../lib/stream-format.ts';
import type { Outline } from './document.ts';

export interface StreamFacts {
  id: number;
  stationId: number;
  stationName: string;
  /** Where the sound is, or a playlist that says where. */
  address: string;
  bitrate: number;
  reliability: number;
  format: StreamFormat;
  playlistType?: 'pls' | 'm3u' | 'asx' | undefined;
}

/** One stream of a station in the list of listening options. */
export function streamOutline(stream: StreamFacts): Outline {
  const stationId = guideId('s', stream.stationId);
  const streamId = guideId('e', stream.id);
  const kind = stream.format.toUpperCase();
  return {
    type: 'audio',
    text: `${stream.stationName} (${stream.bitrate > 0 ? `${stream.bitrate} kbps ` : ''}${kind})`,
    target: {
      path: '/Tune.ashx',
      params: [
        ['id', streamId],
        ['sid', stationId],
      ],
    },
    bitrate: stream.bitrate,
    reliability: stream.reliability,
    guideId: streamId,
    stationId: String(stream.stationId),
    title: stream.stationName,
    nowPlayingId: stationId,
    mediaType: stream.format,
  };
}

/** The same stream as an answer to Tune in JSON. Typed clients refuse the answer when a field or its type differs. */
export function streamObject(stream: StreamFacts): Outline {
  const direct = stream.playlistType === undefined;
  return {
    type: 'object',
    text: stream.stationName,
    object: {
      element: 'audio',
      fields: [
        ['url', stream.address],
        ['reliability', Math.round(stream.reliability)],
        ['bitrate', Math.round(stream.bitrate)],
        ['mediaType', stream.format],
        ['position', 0],
        ['playerWidth', 0],
        ['playerHeight', 0],
        ['isHlsAdvanced', 'false'],
        ['liveSeekStream', 'false'],
        ['guideId', guideId('e', stream.id)],
        ['isAdClippedContentEnabled', 'false'],
        ['isDirect', direct],
        ...(direct ? [] : ([['playlistType', stream.playlistType ?? '']] as const)),
      ],
    },
  };
}
