import type { Call } from '../http/endpoint.ts';
import type { Coordinate } from '../lib/geo.ts';
import { offsetMinutes, zoneAt, zoneName } from '../lib/zone.ts';
import { type ClockReading, timeOutline } from '../opml/config-outlines.ts';
import type { Outline } from '../opml/document.ts';

/** The service's own time is UTC, wherever it runs; a caller who stands nowhere is told the same. */
export function timeOutlines({ now, caller }: Call, place: Coordinate | undefined): Outline[] {
  const utcSeconds = Math.floor(now.epochMilliseconds / 1000);
  const server: ClockReading = { utcSeconds, zoneName: 'UTC', offsetMinutes: 0 };
  const zone = place && zoneAt(place);
  const detected = zone === undefined ? undefined : offsetMinutes(zone, now);
  if (zone === undefined || detected === undefined) return [timeOutline(server, server)];
  const name = zoneName(zone, caller.words.language, now);
  return [timeOutline(server, { utcSeconds, zoneName: name, offsetMinutes: detected })];
}
