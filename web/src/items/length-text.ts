import { withDigits } from '../i18n/languages.ts';

/** A duration in words: `25 min`, `1 hr, 5 min`. */
export function lengthText(seconds: number, language: string): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  const part = (count: number, unit: 'hour' | 'minute'): string =>
    new Intl.NumberFormat(withDigits(language), { style: 'unit', unit, unitDisplay: 'short' }).format(count);
  if (minutes < 60) return part(minutes, 'minute');
  const rest = minutes % 60;
  return [part(Math.floor(minutes / 60), 'hour'), rest > 0 ? part(rest, 'minute') : ''].join(' ').trim();
}
