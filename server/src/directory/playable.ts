import { ALL_FORMATS } from '../lib/stream-format.ts';
import type { FormatMask } from '../lib/stream-format.ts';

/**
 * Stands for a stream whose format nobody knows yet. It is no format, so a caller who names formats is never sent to
 * such a stream: a radio that fails on it blames the directory. Who takes everything gets it too.
 */
export const UNKNOWN_FORMAT: FormatMask = 1 << 30;

/** What a station must have one bit of. The mask of all formats is also what a caller has who names none. */
export const wantedBits = (formats: FormatMask): FormatMask =>
  (formats & ALL_FORMATS) === ALL_FORMATS ? ANYTHING : formats;

export const ANYTHING: FormatMask = ALL_FORMATS | UNKNOWN_FORMAT;

interface Plays {
  readonly formats: FormatMask;
  readonly hasUnknownFormat: boolean;
}

export const playableBits = ({ formats, hasUnknownFormat }: Plays): FormatMask =>
  hasUnknownFormat ? formats | UNKNOWN_FORMAT : formats;
