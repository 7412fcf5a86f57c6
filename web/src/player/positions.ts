import { keep, kept } from '../app/kept.ts';
import type { Positions } from './needs.ts';

/** A listener does not come back to more; the oldest is forgotten. */
const MOST = 100;

type Kept = [guideId: string, seconds: number][];

/** Where topics were left, in this browser. */
export class KeptPositions implements Positions {
  #kept: Map<string, number> | undefined;

  find(guideId: string): number | undefined {
    return this.#read().get(guideId);
  }

  set(guideId: string, seconds: number): void {
    const positions = this.#read();
    positions.delete(guideId);
    positions.set(guideId, Math.floor(seconds));
    const [oldest] = positions.keys();
    if (positions.size > MOST && oldest !== undefined) positions.delete(oldest);
    this.#write();
  }

  forget(guideId: string): void {
    if (this.#read().delete(guideId)) this.#write();
  }

  #read(): Map<string, number> {
    this.#kept ??= new Map(parsePositions(kept('positions')));
    return this.#kept;
  }

  #write(): void {
    keep('positions', JSON.stringify([...this.#read()]));
  }
}

/** Whatever else is found there is as good as nothing. */
export function parsePositions(text: string | null): Kept {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter(isPosition).slice(-MOST) : [];
  } catch {
    return [];
  }
}

const isPosition = (entry: unknown): entry is Kept[number] =>
  Array.isArray(entry) && typeof entry[0] === 'string' && Number.isFinite(entry[1]);
