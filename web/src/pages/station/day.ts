import type { Outline } from '@longwave/client';

/** A show on this station, from one instant to another, in milliseconds since 1970. */
export interface Broadcast {
  showId: string | undefined;
  title: string;
  startsAt: number;
  endsAt: number;
}

const MINUTE_MS = 60_000;

/** The times of a schedule are those of a clock that is so many minutes ahead of UTC. */
export function readBroadcasts(outlines: readonly Outline[], offsetMinutes: number): Broadcast[] {
  return outlines.flatMap(({ text, guideId, start, duration }) => {
    const startsAt = Date.parse(`${start}Z`) - offsetMinutes * MINUTE_MS;
    if (Number.isNaN(startsAt) || duration === undefined) return [];
    return [{ showId: guideId, title: text, startsAt, endsAt: startsAt + duration * 1000 }];
  });
}

/** A day on the listener's own clock. */
export interface Day {
  /** `yyyymmdd`, as a schedule is asked for. */
  name: string;
  offsetMinutes: number;
  startsAt: number;
  endsAt: number;
}

const two = (number: number): string => String(number).padStart(2, '0');

/** Today, or so many days later; a day that changes its clock is an hour longer or shorter. */
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

/** Where an instant stands on the day's scale, 0 to 1; what is outside stands at its edge. */
export const placeOn = ({ startsAt, endsAt }: Day, instant: number): number =>
  Math.min(1, Math.max(0, (instant - startsAt) / (endsAt - startsAt)));

export const isOn = ({ startsAt, endsAt }: Broadcast, now: number): boolean =>
  startsAt <= now && now < endsAt;

export const isOver = ({ endsAt }: Broadcast, now: number): boolean => endsAt <= now;
