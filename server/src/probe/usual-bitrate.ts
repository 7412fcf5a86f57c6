const USUAL = [
  8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 1024,
  1411,
];
/** A second of sound is a little more or less than a minute of it. */
const NEAR = 0.25;
const MOST = 10_000;

/**
 * The bitrate to write down, in kbit/s: what the station says where it is not far from what was measured, else the usual
 * one next to that. What is measured of a few frames is another number each time, and each would be news.
 */
export function usualBitrate(measured: number | undefined, told: number | undefined): number | undefined {
  const said = told !== undefined && told >= 1 && told <= MOST ? Math.round(told) : undefined;
  if (measured === undefined || !(measured > 0)) return said;
  if (said !== undefined && Math.abs(said - measured) <= NEAR * measured) return said;
  return USUAL.reduce((best, rate) => (Math.abs(rate - measured) < Math.abs(best - measured) ? rate : best));
}
