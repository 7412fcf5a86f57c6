import type { GuideId } from '../lib/guide-id.ts';
import type { StreamFormat } from '../lib/stream-format.ts';
import type { Outline } from './document.ts';

/** One address at which something can be heard. */
export interface StreamFacts {
  /** `e…` of a station's stream, `t…` of a topic, `u…` of an address that a listener saved. */
  guideId: GuideId<'e' | 't' | 'u'>;
  /** The station or the show it belongs to; a saved address belongs to neither. */
  parentId?: GuideId<'s' | 'p'> | undefined;
  /** Of the station or the topic. */
  name: string;
  /** Where the sound is, or a playlist that says where. */
  address: string;
  bitrate: number;
  reliability: number;
  format: StreamFormat;
  playlistType?: 'pls' | 'm3u' | 'asx' | 'xspf' | undefined;
  /** Why an announcement is given instead. */
  reason?: string | undefined;
}

/** One stream in the list of listening options. */
export function streamOutline(stream: StreamFacts): Outline {
  const { guideId, parentId, name, bitrate, reliability, format } = stream;
  const kind = format.toUpperCase();
  return {
    type: 'audio',
    text: `${name} (${bitrate > 0 ? `${bitrate} kbps ` : ''}${kind})`,
    target: {
      path: '/Tune.ashx',
      params:
        parentId === undefined
          ? [['id', guideId]]
          : [
              ['id', guideId],
              ['sid', parentId],
            ],
    },
    bitrate,
    reliability,
    guideId,
    stationId: parentId?.startsWith('s') ? parentId.slice(1) : undefined,
    title: name,
    nowPlayingId: parentId?.startsWith('s') ? parentId : guideId,
    mediaType: format,
  };
}

/**
 * The same stream as an answer to Tune in JSON. Typed clients refuse the answer when a field or its type differs; a
 * field more they pass over.
 */
export function streamObject(stream: StreamFacts): Outline {
  const direct = stream.playlistType === undefined;
  return {
    type: 'object',
    text: stream.name,
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
        ['guideId', stream.guideId],
        ['isAdClippedContentEnabled', 'false'],
        ['isDirect', direct],
        ...(direct ? [] : ([['playlistType', stream.playlistType ?? '']] as const)),
        ...(stream.reason === undefined ? [] : ([['reason', stream.reason]] as const)),
      ],
    },
  };
}
