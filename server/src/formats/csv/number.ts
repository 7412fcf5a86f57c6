/** Signs that people put between thousands: spaces of all widths, and the Swiss apostrophe. */
const BETWEEN_THOUSANDS = /(?<=\d)[\s\u00a0\u202f'’](?=\d{3}(?!\d))/g;
const NUMBER = /^[+-]?\d[\d.,]*(?:e[+-]?\d{1,3})?/i;
const LONGEST = 40;

/** A count as spreadsheets write it: `1,234`, `1.234`, `1 234`, `1,28E+02`, `128 kbps`; undefined for what is none. */
export function parseCount(text: string | undefined): number | undefined {
  const written = numeral(text);
  // Groups of three behind each sign are thousands: nobody counts in thousandths.
  if (/^[+-]?\d{1,3}(?:\.\d{3})+$|^[+-]?\d{1,3}(?:,\d{3})+$/.test(written))
    return Number(written.replaceAll(/[.,]/g, ''));
  return toNumber(written);
}

/** Degrees: `53.5511`, `53,5511`, `-8.47`, `8,47° W`; undefined for what are none. */
export function parseDegrees(text: string | undefined): number | undefined {
  const degrees = toNumber(numeral(text));
  const [, side = ''] = /\d\s*°?\s*([nsewo])$/i.exec((text ?? '').slice(0, LONGEST).trim()) ?? [];
  return degrees !== undefined && /[sw]/i.test(side) ? -Math.abs(degrees) : degrees;
}

function numeral(text: string | undefined): string {
  const plain = (text ?? '').slice(0, LONGEST).trim().replace('−', '-').replaceAll(BETWEEN_THOUSANDS, '');
  return NUMBER.exec(plain)?.[0] ?? '';
}

/** Of two kinds of sign the last is the decimal one; of one kind, where it stands once. */
function toNumber(written: string): number | undefined {
  const decimal = written[Math.max(written.lastIndexOf('.'), written.lastIndexOf(','))];
  const other = decimal === ',' ? '.' : ',';
  const parts = written.replaceAll(other, '').split(decimal ?? '.');
  const number = Number(parts.length > 2 ? parts.join('') : parts.join('.'));
  return written !== '' && Number.isFinite(number) ? number : undefined;
}
