import type { StreamFormat } from './stream-format.ts';

const WINDOWS_MEDIA = ['wma', 'wmpro', 'wmvoice', 'wmvideo'] as const;

/** Ways to sound that are no web address, by what is sent on them, the usual one first. We never go any of them. */
const FORMATS: Readonly<Record<string, readonly StreamFormat[]>> = {
  'mms:': WINDOWS_MEDIA,
  'mmsh:': WINDOWS_MEDIA,
  'mmst:': WINDOWS_MEDIA,
  'rtsp:': ['real', 'qt', ...WINDOWS_MEDIA],
  'rtmp:': ['flash'],
};

export const STREAM_SCHEMES: readonly string[] = Object.keys(FORMATS);

/** What an address can hold by its scheme alone; undefined for a web address, which can hold anything. */
export const formatsOfScheme = (address: string): readonly StreamFormat[] | undefined =>
  FORMATS[address.slice(0, address.indexOf(':') + 1).toLowerCase()];
