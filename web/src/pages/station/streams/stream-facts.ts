import type { ExplainedStream } from '@longwave/client';

export type StreamHealth = 'plays' | 'trouble' | 'unknown';

export function healthOf({ verdict }: Pick<ExplainedStream, 'verdict'>): StreamHealth {
  if (verdict === undefined) return 'unknown';
  return verdict === 'plays' ? 'plays' : 'trouble';
}

/** `AAC · 64 kbit/s`, as far as it is known. */
export function kindOf({
  codec,
  mediaType,
  bitrate,
}: Pick<ExplainedStream, 'codec' | 'mediaType' | 'bitrate'>): string {
  const format = (codec ?? mediaType ?? '').toUpperCase();
  return [format, bitrate > 0 && `${bitrate} kbit/s`].filter(Boolean).join(' · ');
}
