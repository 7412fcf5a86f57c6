import type { GuideId } from '../../../lib/guide-id.ts';
import type { StreamFormat } from '../../../lib/stream-format.ts';
import { linkTo, type Outline } from '../../../formats/opml/document.ts';
import { objectOutline } from '../../../formats/opml/outlines.ts';

/** One address with audio. */
export interface StreamOutlineFacts {
  /** `e…` for a station's stream, `t…` for a topic, `u…` for a listener's saved address. */
  guideId: GuideId<'e' | 't' | 'u'>;
  /** Its station or show; a saved address has neither. */
  parentId?: GuideId<'s' | 'p'> | undefined;
  /** The name of the station or topic. */
  name: string;
  /** The address of the audio, or of a playlist. */
  address: string;
  bitrate: number;
  reliability: number;
  format: StreamFormat;
  playlistType?: 'pls' | 'm3u' | 'asx' | 'xspf' | undefined;
  /** It comes through the relay. */
  isRelayed?: true;
  /** Why an announcement is played instead. */
  reason?: string | undefined;
}

/** One stream in the list of listening options. */
export function streamOutline(stream: StreamOutlineFacts): Outline {
  const { guideId, parentId, name, bitrate, reliability, format } = stream;
  const kind = format.toUpperCase();
  return {
    type: 'audio',
    text: `${name} (${bitrate > 0 ? `${bitrate} kbps ` : ''}${kind})`,
    target:
      parentId === undefined
        ? linkTo('/Tune.ashx', ['id', guideId])
        : linkTo('/Tune.ashx', ['id', guideId], ['sid', parentId]),
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
 * The same stream as Tune returns it in JSON. Typed clients reject the answer when a field is missing or has another
 * type; additional fields are ignored.
 */
export function streamObject(stream: StreamOutlineFacts): Outline {
  const direct = stream.playlistType === undefined;
  return objectOutline(stream.name, 'audio', [
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
    ...(stream.isRelayed ? ([['isRelayed', true]] as const) : []),
    ...(stream.reason === undefined ? [] : ([['reason', stream.reason]] as const)),
  ]);
}
