import type { Menu, Outline } from '@longwave/client';
import type { Tuned } from './deps.ts';
import type { PlayerStream } from './state.ts';

/** Tune's answer. With a reason, its only stream is a spoken announcement, which the page shows as text instead. */
export function toTuned({ outlines }: Menu): Tuned {
  const isAnnouncement = outlines.some(({ described }) => (described?.fields['reason'] ?? '') !== '');
  if (isAnnouncement) return { streams: [], isIncompatible: outlines.some(isForOthers) };
  return { streams: outlines.map(toStream).filter(({ address }) => address !== ''), isIncompatible: false };
}

/** The reason is for developers, and begins like this if there are streams for other devices. */
const isForOthers = ({ described }: Outline): boolean =>
  (described?.fields['reason'] ?? '').startsWith('No stream for');

function toStream({ described }: Outline): PlayerStream {
  const {
    url = '',
    guide_id: guideId = '',
    media_type: mediaType = '',
    bitrate = '',
    is_relayed: isRelayed,
  } = described?.fields ?? {};
  return { address: url, guideId, mediaType, bitrate: Number(bitrate) || 0, isRelayed: isRelayed === 'true' };
}
