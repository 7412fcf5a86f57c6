import { type Name, forget, keep, kept, keptNames } from '../app/kept.ts';
import type { Positions } from './engine/deps.ts';

/** Listeners do not come back to more; the oldest is deleted. */
const MAX = 100;

interface Position {
  seconds: number;
  /** When it was left, in milliseconds of `Date.now()`. */
  at: number;
}

const PREFIX = 'position.';
const nameOf = (guideId: string): Name => `${PREFIX}${guideId}`;

/**
 * Saved positions of topics, in this browser. Each has an entry of its own, so that two open pages never overwrite
 * each other's topics; for the same topic, the page that played last wins.
 */
export class KeptPositions implements Positions {
  /** What this page saved last: a page that is only hidden again has nothing new to save. */
  #lastSaved: { guideId: string; seconds: number } | undefined;

  find(guideId: string): number | undefined {
    return keptPosition(guideId);
  }

  set(guideId: string, seconds: number): void {
    const whole = Math.floor(seconds);
    if (this.#lastSaved?.guideId === guideId && this.#lastSaved.seconds === whole) return;
    this.#lastSaved = { guideId, seconds: whole };
    const isNew = keptPosition(guideId) === undefined;
    keep(nameOf(guideId), writePosition({ seconds: whole, at: Date.now() }));
    if (isNew) forgetOldest();
  }

  forget(guideId: string): void {
    this.#lastSaved = undefined;
    forget(nameOf(guideId));
  }
}

/** Where a topic was left, in seconds. */
export const keptPosition = (guideId: string): number | undefined =>
  parsePosition(kept(nameOf(guideId)))?.seconds;

const leftAt = (name: Name): number => parsePosition(kept(name))?.at ?? 0;

function forgetOldest(): void {
  const names = keptNames(PREFIX);
  if (names.length <= MAX) return;
  const oldestFirst = names
    .map((name) => ({ name, at: leftAt(name) }))
    .toSorted((one, other) => one.at - other.at);
  for (const { name } of oldestFirst.slice(0, names.length - MAX)) forget(name);
}

const writePosition = ({ seconds, at }: Position): string => `${seconds} ${at}`;

/** An invalid value counts as missing. */
export function parsePosition(text: string | null): Position | undefined {
  const [, seconds, at] = /^(\d{1,7}) (\d{1,16})$/.exec(text ?? '') ?? [];
  return seconds === undefined ? undefined : { seconds: Number(seconds), at: Number(at) };
}

/** Migrates the old format, with all positions in one entry. */
export function takeOver(): void {
  const old = parseOld(kept('positions'));
  if (old.length === 0) return forget('positions');
  old.forEach(([guideId, seconds], at) => {
    if (kept(nameOf(guideId)) === null) keep(nameOf(guideId), writePosition({ seconds, at }));
  });
  forget('positions');
}

function parseOld(text: string | null): [guideId: string, seconds: number][] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter(isOld).slice(-MAX) : [];
  } catch {
    return [];
  }
}

const isOld = (entry: unknown): entry is [string, number] =>
  Array.isArray(entry) && typeof entry[0] === 'string' && Number.isInteger(entry[1]) && entry[1] >= 0;
