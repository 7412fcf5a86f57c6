import type { MasterPlaylist, MediaPlaylist, Segment, Variant } from './hls-playlist.ts';

/** Where the sound is heard for the least: the smallest quality without a picture, or sound that comes apart. */
export function chooseVariant({ variants, renditions }: MasterPlaylist): string | undefined {
  const audio = smallest(variants.filter(({ hasPicture }) => !hasPicture));
  if (audio && audio.audioGroup === undefined) return audio.address;
  const best = audio ?? smallest(variants);
  const apart = renditions.find(({ group }) => group === best?.audioGroup) ?? renditions[0];
  return apart?.address ?? best?.address;
}

/** Those that do not say how large they are come last. */
const smallest = (from: readonly Variant[]): Variant | undefined =>
  from.toSorted((a, b) => (a.bandwidth || Infinity) - (b.bandwidth || Infinity) || 0)[0];

/** The newest but one: the newest may still be on its way to where it is served from. */
export const chooseSegment = ({ segments }: MediaPlaylist): Segment | undefined =>
  segments.at(-2) ?? segments.at(-1);
