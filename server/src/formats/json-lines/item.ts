import { parseJson } from '../../lib/parse-json.ts';

/** One value of a JSON stream: `number` is its line in a list of lines, its place in an array; both count from 1. */
export type JsonItem = { number: number; value: unknown } | { number: number; error: string };

/** No station record comes near: the longest of 86,888 real ones is under 4 KiB. */
export const MAX_ITEM_BYTES = 2 ** 20;

export const tooLong = (number: number): JsonItem => ({
  number,
  error: `longer than ${MAX_ITEM_BYTES} bytes`,
});

export function parseItem(number: number, bytes: Buffer): JsonItem {
  try {
    return { number, value: parseJson(bytes.toString('utf8')) };
  } catch (error) {
    return { number, error: `not JSON: ${String(error).slice(0, 200)}` };
  }
}

/** Blank between JSON values. */
export const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The same memory with a Buffer's methods. */
export const toBuffer = (chunk: Uint8Array): Buffer =>
  Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
