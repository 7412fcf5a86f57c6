import type { DirectoryStation } from '../../../core/directory/snapshot/snapshot.ts';
import type { Words } from '../../../core/i18n/words.ts';
import type { CallerPlaces } from '../../../core/places/caller-places.ts';
import type { OpmlDocument, Outline } from '../../../formats/opml/document.ts';
import { Fault } from '../../../lib/fault.ts';
import { isZone, zoneAt, zoneName } from '../../../lib/zone.ts';
import { ReadThrough } from '../../../storage/cache/read-through.ts';
import {
  listBroadcastsOfStation,
  type TitledBroadcastRow,
} from '../../../storage/catalog/schedules/broadcasts.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import type { Call } from '../call/endpoint.ts';
import type { Params } from '../call/params.ts';
import { scheduleOutline } from '../outlines/schedule-outlines.ts';

/** The time zone in which a schedule is shown. */
interface ScheduleTime {
  /** An IANA name, or an offset: `Europe/Berlin`, `UTC`, `+02:00`. */
  zone: string;
  /** Whether each entry includes the zone, as it does for account owners. */
  includesZone: boolean;
}

/** The schedules of stations, cached briefly; they change by the hour. */
export class Schedules {
  readonly #places: Pick<CallerPlaces, 'of' | 'accounts'>;
  readonly #read: ReadThrough<TitledBroadcastRow[]>;

  constructor(db: Queryable, places: Pick<CallerPlaces, 'of' | 'accounts'>) {
    this.#places = places;
    this.#read = new ReadThrough({
      load: (key) => readBroadcasts(db, key),
      most: 2000,
      freshMs: 60_000,
      staleMs: 24 * 3_600_000,
    });
  }

  async menu(call: Call, station: DirectoryStation): Promise<OpmlDocument> {
    const time = await this.#timeOf(call);
    const window = scheduleWindow(call.params, time.zone, call.now);
    const broadcasts = await this.#read.get(keyOf(station.id, window));
    const shown = broadcasts.filter((broadcast) => isInside(broadcast, window));
    const { words } = call.caller;
    return { title: station.name, outlines: shown.map((broadcast) => entry(broadcast, time, words)) };
  }

  /** The account's time zone, else the caller's offset, else the zone of the caller's place if requested, else UTC. */
  async #timeOf({ caller, params }: Call): Promise<ScheduleTime> {
    if (caller.username !== undefined) {
      const { zone = 'UTC' } = await this.#places.accounts.get(caller.username);
      return { zone: isZone(zone) ? zone : 'UTC', includesZone: true };
    }
    const offset = params.optional('offset', parseOffsetZone);
    if (offset !== undefined || !params.flag('autodetect'))
      return { zone: offset ?? 'UTC', includesZone: false };
    const place = await this.#places.of(caller);
    return { zone: place?.coordinate ? zoneAt(place.coordinate) : 'UTC', includesZone: false };
  }
}

/** By whole hours, so that all requests within one share one read. */
const keyOf = (stationId: number, { from, until }: Window): string =>
  [stationId, floor(from), floor(until.add({ minutes: 59, seconds: 59 }))].join(' ');

const floor = (instant: Temporal.Instant): string =>
  instant.round({ smallestUnit: 'hour', roundingMode: 'floor' }).toString();

function readBroadcasts(db: Queryable, key: string): Promise<TitledBroadcastRow[]> {
  const [id, from = '', until = ''] = key.split(' ');
  return listBroadcastsOfStation(db, Number(id), {
    from: Temporal.Instant.from(from),
    until: Temporal.Instant.from(until),
  });
}

const isBefore = (a: Temporal.Instant, b: Temporal.Instant): boolean => Temporal.Instant.compare(a, b) < 0;

function isInside({ starts_at: start, ends_at: end }: TitledBroadcastRow, window: Window): boolean {
  if (!isBefore(start, window.until)) return false;
  return isBefore(window.from, window.includesLive ? end : start);
}

function entry(broadcast: TitledBroadcastRow, { zone, includesZone }: ScheduleTime, words: Words): Outline {
  const { starts_at: start, ends_at: end, show_id: showId, title } = broadcast;
  return scheduleOutline({
    showId,
    title,
    start: start.toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'second' }),
    durationSeconds: start.until(end).total('seconds'),
    zoneName: includesZone ? zoneName(zone, words.language, start) : undefined,
  });
}

/** From one instant up to, but not including, another. */
export interface Window {
  from: Temporal.Instant;
  until: Temporal.Instant;
  /** Whether to include shows that started earlier and are still on. */
  includesLive: boolean;
}

const MAX_DAYS = 3;
const MIN_FORWARD = { hours: 24 };
const MAX_FORWARD = { hours: 36 };

/** The requested part of a schedule, in days of a time zone. */
export function scheduleWindow(params: Params, zone: string, now: Temporal.Instant): Window {
  return params.flag('forward')
    ? forwardWindow(zone, now, params.flag('live'))
    : dayWindow(params, zone, now);
}

/** Until the end of the day that is reached in 24 hours, so that the list ends with a day, but at most 36 hours. */
function forwardWindow(zone: string, now: Temporal.Instant, includesLive: boolean): Window {
  const midnight = startOf(dayOf(now.add(MIN_FORWARD), zone).add({ days: 1 }), zone);
  const latest = now.add(MAX_FORWARD);
  const until = Temporal.Instant.compare(midnight, latest) < 0 ? midnight : latest;
  return { from: now, until, includesLive };
}

function dayWindow(params: Params, zone: string, now: Temporal.Instant): Window {
  const start = params.optional('start', parseDay) ?? dayOf(now, zone);
  const stop = params.optional('stop', parseDay) ?? start;
  const { days } = start.until(stop, { largestUnit: 'days' });
  if (days < 0) throw invalid("'stop' is before 'start'; give the later day as 'stop'");
  if (days >= MAX_DAYS)
    throw invalid(`A schedule covers at most ${MAX_DAYS} days; request the rest in another call`);
  return { from: startOf(start, zone), until: startOf(stop.add({ days: 1 }), zone), includesLive: true };
}

// Only plausible centuries: years after 9999 are written in a way PostgreSQL does not read.
const DAY = /^((?:19|20|21)\d{2})(\d{2})(\d{2})$/;

/** `20260109`; undefined for a date that does not exist. */
export function parseDay(text: string): Temporal.PlainDate | undefined {
  const [, year, month, day] = DAY.exec(text) ?? [];
  if (year === undefined) return undefined;
  try {
    return Temporal.PlainDate.from(`${year}-${month}-${day}`);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The largest UTC offset in use. */
const MAX_MINUTES = 14 * 60;

/** `120` -> `+02:00`. An unescaped plus in a URL arrives as a space. */
export function parseOffsetZone(text: string): string | undefined {
  if (!/^[ +-]?\d{1,3}$/.test(text)) return undefined;
  const minutes = Number(text);
  if (Math.abs(minutes) > MAX_MINUTES) return undefined;
  const digits = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((n) =>
    `${n}`.padStart(2, '0'),
  );
  return `${minutes < 0 ? '-' : '+'}${digits.join(':')}`;
}

const dayOf = (instant: Temporal.Instant, zone: string): Temporal.PlainDate =>
  instant.toZonedDateTimeISO(zone).toPlainDate();

const startOf = (day: Temporal.PlainDate, zone: string): Temporal.Instant =>
  day.toZonedDateTime(zone).toInstant();

const invalid = (message: string): Fault => new Fault(400, 'request.invalid', message);
