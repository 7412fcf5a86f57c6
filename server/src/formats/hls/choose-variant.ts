import type { MasterPlaylist, Rendition, Variant } from './parse-hls.ts';

/** The cheapest way to the audio: the smallest quality without video, or a separate rendition. */
export function chooseVariant({ variants, renditions }: MasterPlaylist): string | undefined {
  const audio = smallest(variants.filter(({ hasPicture }) => !hasPicture));
  if (audio && audio.audioGroup === undefined) return audio.address;
  const best = audio ?? smallest(variants);
  const apart = renditions.find(({ group }) => group === best?.audioGroup) ?? renditions[0];
  return apart?.address ?? best?.address;
}

/** What no radio can be sent unchanged: lossless, Opus, surround, and the newest AAC, for which ADTS has no name. */
const NOT_SENT_ON = /^(?:flac|alac|opus|vorbis|[ae]c-?[34]|mp4a\.40\.42|mp4a\.a[56])$/i;

/** A quality that a radio can be sent. */
interface Quality {
  address: string;
  bandwidth: number | undefined;
}

/**
 * The qualities of the sound that a radio can be sent, without pictures, the best first: stations list some twice, and the
 * second is there for when the first is away.
 */
export function bestVariants({ variants, renditions }: MasterPlaylist): readonly Quality[] {
  const usual = variants.filter(({ codecs }) => !codecs.some((codec) => NOT_SENT_ON.test(codec)));
  const known = usual.length > 0 ? usual : variants;
  const apart = (variant: Variant): Rendition | undefined =>
    renditions.find(({ group }) => group === variant.audioGroup);
  // One whose sound is in a group, and that does not say what it is itself, may be a film.
  const sound = known.filter(
    ({ hasPicture, audioGroup, codecs }) => !hasPicture && (audioGroup === undefined || codecs.length > 0),
  );
  if (sound.length > 0)
    return sound
      .toSorted((a, b) => b.bandwidth - a.bandwidth)
      .map((variant) => ({
        address: apart(variant)?.address ?? variant.address,
        bandwidth: variant.bandwidth,
      }));
  const address = chooseVariant({ kind: 'master', variants: known, renditions });
  return address === undefined ? [] : [{ address, bandwidth: undefined }];
}

/** Those without a bandwidth come last. */
const smallest = (from: readonly Variant[]): Variant | undefined =>
  from.toSorted((a, b) => (a.bandwidth || Infinity) - (b.bandwidth || Infinity) || 0)[0];
