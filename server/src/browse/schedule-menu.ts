import { ReadThrough } from '../cache/read-through.ts';
import { type TitledBroadcastRow, listBroadcastsOfStation } from '../catalog/broadcasts.ts';
import type { Queryable } from '../db/pool.ts';
import type { DirectoryStation } from '../directory/snapshot.ts';
import { isZone } from '../lib/local-time.ts';
import { zoneAt, zoneName } from '../lib/zone.ts';
import type { Call } from '../http/endpoint.ts';
import type { OpmlDocument, Outline } from '../opml/document.ts';
import { scheduleOutline } from '../opml/schedule-outlines.ts';
import type { Words } from '../words/words.ts';
import { type NamedAccounts, type PlaceSources, placeOf } from './caller-place.ts';
import { type Window, parseOffsetZone, scheduleWindow } from './schedule-window.ts';

/** In whose time a schedule is told. */
interface ScheduleTime {
  /** An IANA name, or an offset: `Europe/Berlin`, `UTC`, `+02:00`. */
  zone: string;
  /** Whether each entry says the zone, as it does for the owner of an account. */
  isTold: boolean;
}

/** The schedules of stations, as read lately; they change by the hour. */
export class Schedules {
  readonly #accounts: Pick<NamedAccounts, 'get'>;
  readonly #places: PlaceSources;
  readonly #read: ReadThrough<TitledBroadcastRow[]>;

  constructor(db: Queryable, accounts: Pick<NamedAccounts, 'get'>, places: PlaceSources) {
    this.#accounts = accounts;
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

  /** The account's, else as far from UTC as the caller says, else of the caller's place when that is asked for, else UTC. */
  async #timeOf({ caller, params }: Call): Promise<ScheduleTime> {
    if (caller.username !== undefined) {
      const { zone = 'UTC' } = await this.#accounts.get(caller.username);
      return { zone: isZone(zone) ? zone : 'UTC', isTold: true };
    }
    const offset = params.optional('offset', parseOffsetZone);
    if (offset !== undefined || !params.flag('autodetect')) return { zone: offset ?? 'UTC', isTold: false };
    const place = await placeOf(caller, this.#places);
    return { zone: place?.coordinate ? zoneAt(place.coordinate) : 'UTC', isTold: false };
  }
}

/** Whole hours, so that all who ask what comes next within one are answered by one reading. */
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

function entry(broadcast: TitledBroadcastRow, { zone, isTold }: ScheduleTime, words: Words): Outline {
  const { starts_at: start, ends_at: end, show_id: showId, title } = broadcast;
  return scheduleOutline({
    showId,
    title,
    start: start.toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'second' }),
    durationSeconds: start.until(end).total('seconds'),
    zoneName: isTold ? zoneName(zone, words.language, start) : undefined,
  });
}
