import tzLookup from '@photostructure/tz-lookup';
import type { Coordinate } from './geo.ts';

/** The time zone of a place, as an IANA name; the sea has one too. */
export const zoneAt = ({ latitude, longitude }: Coordinate): string => tzLookup(latitude, longitude);

/** How far a zone's clocks are ahead of UTC at an instant, summer time included; undefined for a name nobody knows. */
export function offsetMinutes(zone: string, at: Temporal.Instant): number | undefined {
  try {
    return at.toZonedDateTimeISO(zone).offsetNanoseconds / 60e9;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** `GMT + 1 (CET)`, in summer `GMT + 2 (CEST)`; where clocks have no letters of their own, `GMT + 9`. */
export function zoneText(zone: string, at: Temporal.Instant): string | undefined {
  const minutes = offsetMinutes(zone, at);
  if (minutes === undefined) return undefined;
  const letters = zoneLetters(zone, at);
  return letters === undefined ? gmtText(minutes) : `${gmtText(minutes)} (${letters})`;
}

function gmtText(minutes: number): string {
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.round(Math.abs(minutes) % 60)];
  const part = rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`;
  return `GMT ${minutes < 0 ? '-' : '+'} ${hours}${part}`;
}

/** `Central European Time`, in a language. */
export const zoneName = (zone: string, language: string, at: Temporal.Instant): string =>
  nameIn(language, zone, 'longGeneric', at) ?? zone;

/** CLDR knows a zone's letters only in the language of those who live by them. */
const LETTERED = ['en-US', 'en-GB', 'en-CA', 'en-AU', 'en-NZ', 'en-IN', 'en-ZA', 'ja-JP'];

function zoneLetters(zone: string, at: Temporal.Instant): string | undefined {
  for (const locale of LETTERED) {
    const name = nameIn(locale, zone, 'short', at);
    if (name !== undefined && /^[A-Z]{2,5}$/.test(name)) return name;
  }
  return undefined;
}

/** As many as there are zones in use times the languages asked in; making one costs more than all else here. */
const formats = new Map<string, Intl.DateTimeFormat>();
const MOST_FORMATS = 3000;

function nameIn(
  locale: string,
  zone: string,
  style: 'short' | 'longGeneric',
  at: Temporal.Instant,
): string | undefined {
  const key = `${locale} ${style} ${zone}`;
  let format = formats.get(key);
  if (!format) {
    if (formats.size >= MOST_FORMATS) formats.clear();
    format = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: style });
    formats.set(key, format);
  }
  return format.formatToParts(at.epochMilliseconds).find(({ type }) => type === 'timeZoneName')?.value;
}
