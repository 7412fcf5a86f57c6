import type { GuideLetter } from '../../lib/guide-id.ts';

/** Radios of this kind expect 16 digits. Ours begin with a 9, which no id of the service they were made for does. */
const OWN = '9';
const DIGITS = 15;

/** `9000000000000123` for s123. */
export const radioId = (stationId: number): string => OWN + String(stationId).padStart(DIGITS, '0');

/** `s123` for `9000000000000123`; any other id is one that the radio stored from another directory, and stays as it is. */
export function guideIdOf(id: string, letter: GuideLetter): string {
  const [, digits] = /^9(\d{15})$/.exec(id) ?? [];
  return digits === undefined ? id : `${letter}${Number(digits)}`;
}
