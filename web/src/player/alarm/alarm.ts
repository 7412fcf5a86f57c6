import { forget, keep, kept } from '../../app/kept.ts';
import type { PlayerItem } from '../engine/state.ts';

/** The station to wake with, and when, in milliseconds since 1970. */
export interface Alarm {
  at: number;
  item: PlayerItem;
}

/** Rings this late at most: what was missed by more is told of, and wakes nobody at noon. */
export const MAX_LATE_MS = 10 * 60_000;

/** When the clock shows `07:30` next; undefined for what is no time. On a day when clocks change, by the clock on the wall. */
export function nextAt(time: string, now: number): number | undefined {
  const [, hours, minutes] = /^(\d\d):(\d\d)$/.exec(time) ?? [];
  if (hours === undefined || minutes === undefined) return undefined;
  const next = new Date(now);
  next.setHours(Number(hours), Number(minutes), 0, 0);
  if (next.getTime() <= now) {
    next.setDate(next.getDate() + 1);
    next.setHours(Number(hours), Number(minutes), 0, 0);
  }
  return next.getTime();
}

/** `07:30`, as a field for a time has it. */
export const clockTime = (at: number): string => {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
};

/** What another version of the site may have written: whatever is not as expected is no alarm. */
export function parseAlarm(text: string | null): Alarm | undefined {
  try {
    const { at, item } = JSON.parse(text ?? '');
    const { guideId, name, subtext, address } = item;
    const isAlarm = Number.isFinite(at) && typeof name === 'string' && /^[a-z]\d+$/.test(guideId);
    if (!isAlarm) return undefined;
    const more = { subtext: textOf(subtext), address: textOf(address) };
    return { at, item: { kind: 'station', guideId, name, ...more } };
  } catch {
    return undefined;
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** In this browser, for all its tabs: whichever takes it first rings. */
export const keptAlarm = {
  find: (): Alarm | undefined => parseAlarm(kept('alarm')),
  set: (alarm: Alarm): void => keep('alarm', JSON.stringify(alarm)),
  forget: (): void => forget('alarm'),
};
