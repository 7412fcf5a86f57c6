import { parseCallSign } from './call-sign.ts';

export interface Broadcast {
  callSign?: string;
  /** As it is spoken: megahertz on FM, kilohertz on AM. */
  frequency?: string;
  band?: 'FM' | 'AM';
}

/** `WNYC 93.9 FM` -> WNYC, 93.9, FM. The name is a cleaned one. */
export function parseBroadcast(name: string, countryCode: string | undefined): Broadcast {
  const hasDigit = /\d/.test(name);
  const callSign = parseCallSign(name, countryCode, hasDigit);
  const heard = hasDigit
    ? (findFm(name) ?? findAm(name) ?? findBareAm(name, callSign, countryCode))
    : undefined;
  return { ...(callSign ? { callSign } : {}), ...heard };
}

type Heard = Required<Pick<Broadcast, 'frequency' | 'band'>>;

const UNIT = String.raw`\s*(?:fm|mhz|мгц|фм)`;
const DECIMAL = /(?<![\d.,:/])(\d{2,3})[.,](\d{1,2})(?![\d:%]|[.,]\d)(?!\s*(?:k|%|am\b|khz|кгц))/gi;
const WHOLE = new RegExp(
  String.raw`(?<![\d.,:])(\d{2,3})${UNIT}(?![\p{L}\d])|(?:fm|мгц|фм)\s?(\d{2,3})(?![\d.,]\d|\d|\s?(?:k|am\b))`,
  'giu',
);
/** Chinese names write the tenths without a point: FM1045. */
const TENTHS = /fm\s?(\d{3,4})(?![\d.,]|\s?(?:k|am\b))/gi;

function findFm(name: string): Heard | undefined {
  for (const [, whole = '', tenths = ''] of name.matchAll(DECIMAL)) {
    const frequency = fm(Number(`${whole}.${tenths}`));
    if (frequency) return frequency;
  }
  for (const [, before, after] of name.matchAll(WHOLE)) {
    const frequency = fm(Number(before ?? after));
    if (frequency) return frequency;
  }
  for (const [, digits] of name.matchAll(TENTHS)) {
    const frequency = fm(Number(digits) / 10);
    if (frequency) return frequency;
  }
  return undefined;
}

/** Japan begins at 76 MHz; below 87.5 the rest of the world has television. */
function fm(megahertz: number): Heard | undefined {
  if (!(megahertz >= 76 && megahertz <= 108)) return undefined;
  return { frequency: Number.isInteger(megahertz) ? megahertz.toFixed(1) : String(megahertz), band: 'FM' };
}

const KILOHERTZ =
  /(?<![\d.,:])(\d{3,4})\s*(?:am|khz|кгц)(?![\p{L}\d])|(?<!\p{L})am[ -]?(\d{3,4})(?![\d.,])/giu;

function findAm(name: string): Heard | undefined {
  for (const [, before, after] of name.matchAll(KILOHERTZ)) {
    const frequency = am(Number(before ?? after));
    if (frequency) return frequency;
  }
  return undefined;
}

const am = (kilohertz: number): Heard | undefined =>
  kilohertz >= 520 && kilohertz <= 1710 ? { frequency: String(kilohertz), band: 'AM' } : undefined;

/** "WBBR 1130": next to an American call sign a number on the ten-kilohertz grid needs no unit. */
function findBareAm(
  name: string,
  callSign: string | undefined,
  countryCode: string | undefined,
): Heard | undefined {
  if (!callSign || (countryCode !== 'US' && countryCode !== 'CA') || callSign.endsWith('-FM'))
    return undefined;
  const [, digits = ''] = /(?<![\d.,:/-])(\d{2,3}0)(?![\d.,:%/-]|\s?k|s\b)/.exec(name) ?? [];
  return am(Number(digits));
}
