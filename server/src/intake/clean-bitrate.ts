/** Opus speech at the low end, 24-bit lossless at the high one. */
const [LOWEST_KBPS, HIGHEST_KBPS] = [6, 5000];

/** Kilobits a second; 0 when unknown or absurd. Sources that count bits a second are recognised by the size alone. */
export function cleanBitrate(value: number): number {
  const kbps = Math.round(value >= LOWEST_KBPS * 1000 ? value / 1000 : value);
  return kbps >= LOWEST_KBPS && kbps <= HIGHEST_KBPS ? kbps : 0;
}
