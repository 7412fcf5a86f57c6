import type { PlayerStream, Why } from './state.ts';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  aac: 'audio/aac',
  ogg: 'audio/ogg; codecs="vorbis"',
  opus: 'audio/ogg; codecs="opus"',
  flac: 'audio/flac',
  wav: 'audio/wav',
  wma: 'audio/x-ms-wma',
};

export interface Browser {
  isSecurePage: boolean;
  canPlayType(type: string): string;
}

export interface Playable {
  streams: readonly PlayerStream[];
  /** Why none is left; only set if none is. */
  reason: Why | undefined;
}

/** The streams this browser can play on this page, in the directory's order. */
export function choosePlayable(streams: readonly PlayerStream[], browser: Browser): Playable {
  const understood = streams.filter((stream) => isUnderstood(stream, browser));
  const allowed = understood.filter(({ address }) => !browser.isSecurePage || !address.startsWith('http:'));
  return { streams: allowed, reason: reasonOf(streams, understood, allowed) };
}

export const isHls = ({ mediaType, address }: PlayerStream): boolean =>
  mediaType === 'hls' || /\.m3u8(?:[?#]|$)/i.test(address);

/** An unknown format is tried: the browser knows better than any table. */
function isUnderstood(stream: PlayerStream, browser: Browser): boolean {
  const type = MEDIA_TYPES[stream.mediaType];
  return type === undefined || isHls(stream) || browser.canPlayType(type) !== '';
}

function reasonOf(
  all: readonly unknown[],
  understood: readonly unknown[],
  allowed: readonly unknown[],
): Why | undefined {
  if (allowed.length > 0) return undefined;
  if (all.length === 0) return 'nothing';
  return understood.length === 0 ? 'format' : 'insecure';
}
