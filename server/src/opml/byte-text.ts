/**
 * UTF-8 as a string with one character for each byte. V8 keeps such a string in one byte a character and joins strings
 * without copying them, and Node sends it as it is (`latin1`), so a menu is put together from kept lines without its
 * text ever being encoded again.
 */
export type ByteText = string;

const BEYOND_ASCII = /[^\0-\x7f]/;

export const byteText = (text: string): ByteText =>
  BEYOND_ASCII.test(text) ? Buffer.from(text).toString('latin1') : text;

export const bytesOf = (text: ByteText): Buffer => Buffer.from(text, 'latin1');

export const textOf = (text: ByteText): string => bytesOf(text).toString();

/** A text put together from pieces is kept as those pieces, at twice the cost of copying it, until it is made anew. */
export const flat = (text: ByteText): ByteText => bytesOf(text).toString('latin1');
