import type { Tint } from './mark.ts';

const hex = (colour: number): Tint['top'] => [(colour >> 16) & 255, (colour >> 8) & 255, colour & 255];

/** Calm, and dark enough at the foot that white stands out. */
export const TINTS: readonly Tint[] = [
  [0x3a87a0, 0x1f566b],
  [0x4a86c5, 0x264f86],
  [0x5f74c4, 0x364385],
  [0x7d6bbd, 0x4a3b80],
  [0x9a66ad, 0x613a72],
  [0xb46390, 0x74375a],
  [0xbf6b6b, 0x7b3b3f],
  [0xb66e45, 0x7d472a],
  [0x9c7f3b, 0x6d5627],
  [0x718740, 0x4e5f2b],
  [0x468a5c, 0x2b5f3f],
  [0x38897d, 0x215b54],
].map(([top = 0, foot = 0]) => ({ top: hex(top), foot: hex(foot) }));

/** The tint of an item: always the same one, and another for its neighbours in a list. */
export function tintOf(id: string): number {
  let mixed = 0x811c9dc5;
  for (let index = 0; index < id.length; index++) mixed = Math.imul(mixed ^ id.charCodeAt(index), 0x01000193);
  return ((mixed ^ (mixed >>> 15)) >>> 0) % TINTS.length;
}
