import tzLookup from '@photostructure/tz-lookup';
import type { Coordinate } from './geo.ts';

/** The IANA time zone of a place; the sea has zones too. */
export const zoneAt = ({ latitude, longitude }: Coordinate): string => tzLookup(latitude, longitude);

/** Offset from UTC in minutes at an instant, summer time included; undefined for an unknown zone. */
export function offsetMinutes(zone: string, at: Temporal.Instant): number | undefined {
  try {
    return at.toZonedDateTimeISO(zone).offsetNanoseconds / 60e9;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** `GMT + 1 (CET)`, in summer `GMT + 2 (CEST)`; without an abbreviation `GMT + 9`. */
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

/** CLDR has a zone's abbreviation only in the locales where it is used. */
const LETTERED = ['en-US', 'en-GB', 'en-CA', 'en-AU', 'en-NZ', 'en-IN', 'en-ZA', 'ja-JP'];

function zoneLetters(zone: string, at: Temporal.Instant): string | undefined {
  for (const locale of LETTERED) {
    const name = nameIn(locale, zone, 'short', at);
    if (name !== undefined && /^[A-Z]{2,5}$/.test(name)) return name;
  }
  return undefined;
}

/** Bounded by zones in use times languages requested; creating a formatter costs more than everything else here. */
const formats = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 3000;

function nameIn(
  locale: string,
  zone: string,
  style: 'short' | 'longGeneric',
  at: Temporal.Instant,
): string | undefined {
  const key = `${locale} ${style} ${zone}`;
  let format = formats.get(key);
  if (!format) {
    if (formats.size >= MAX_FORMATS) formats.clear();
    format = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: style });
    formats.set(key, format);
  }
  return format.formatToParts(at.epochMilliseconds).find(({ type }) => type === 'timeZoneName')?.value;
}

/**
 * The instant of a local time. A time skipped by a clock change becomes the moment of the change, so that the order of
 * events is kept; of an ambiguous time it is the first.
 */
export function instantOf(local: Temporal.PlainDateTime, zone: string): Temporal.Instant {
  const shown = local.toZonedDateTime(zone);
  if (shown.toPlainDateTime().equals(local)) return shown.toInstant();
  const before = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
  return (before.getTimeZoneTransition('next') ?? shown).toInstant();
}

/** Whether this is a zone name, `Europe/Berlin`, or an offset from UTC. */
export function isZone(name: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const writers = new Map<string, Intl.DateTimeFormat>();

/** `Friday, Jan 9`, by the UTC date: the same for every listener of a language, for ever. */
export function dayText(instant: Temporal.Instant, language: string): string {
  return writers.getOrInsertComputed(language, writerOf).format(instant.epochMilliseconds);
}

const writerOf = (language: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(language, { weekday: 'long', month: 'short', day: 'numeric', timeZone: 'UTC' });
