import type { Outline } from '@longwave/client';

/** A show on this station, from one instant to another, in milliseconds since 1970. */
export interface Broadcast {
  showId: string | undefined;
  title: string;
  startsAt: number;
  endsAt: number;
}

const MINUTE_MS = 60_000;

/** The times of a schedule are local; `offsetMinutes` is how far they are ahead of UTC. */
export function readBroadcasts(outlines: readonly Outline[], offsetMinutes: number): Broadcast[] {
  return outlines.flatMap(({ text, guideId, start, duration }) => {
    const startsAt = Date.parse(`${start}Z`) - offsetMinutes * MINUTE_MS;
    if (Number.isNaN(startsAt) || duration === undefined) return [];
    return [{ showId: guideId, title: text, startsAt, endsAt: startsAt + duration * 1000 }];
  });
}

/** A day in the listener's own time zone. */
export interface Day {
  /** `yyyymmdd`, as in the schedule's request. */
  name: string;
  offsetMinutes: number;
  startsAt: number;
  endsAt: number;
}

const two = (number: number): string => String(number).padStart(2, '0');

/** Today, or `later` days after it; a day on which clocks change is an hour longer or shorter. */
export function dayOf(now: number, later = 0): Day {
  const today = new Date(now);
  const start = new Date(today.getFullYear(), today.getMonth(), today.getDate() + later);
  const end = new Date(today.getFullYear(), today.getMonth(), today.getDate() + later + 1);
  return {
    name: `${start.getFullYear()}${two(start.getMonth() + 1)}${two(start.getDate())}`,
    offsetMinutes: -start.getTimezoneOffset(),
    startsAt: start.getTime(),
    endsAt: end.getTime(),
  };
}

/** An instant's position on the day's scale, 0 to 1; clamped to its edges. */
export const placeOn = ({ startsAt, endsAt }: Day, instant: number): number =>
  Math.min(1, Math.max(0, (instant - startsAt) / (endsAt - startsAt)));

export const isOn = ({ startsAt, endsAt }: Broadcast, now: number): boolean =>
  startsAt <= now && now < endsAt;

export const isOver = ({ endsAt }: Broadcast, now: number): boolean => endsAt <= now;
