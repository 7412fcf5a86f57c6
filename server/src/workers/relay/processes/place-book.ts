import { Admission, type AdmissionLimits, type PlaceClaim, type Place } from '../admission.ts';
import type { PlaceAnswer } from './messages.ts';

/**
 * The places of all processes of a machine, kept by the first one, so that no limit depends on where somebody happened to
 * be taken. What a process held is free when it dies.
 */
export class PlaceBook<Holder extends WeakKey> {
  readonly #admission: Admission;
  readonly #held = new Map<Holder, Map<number, Place>>();
  /** Those that have ended. */
  readonly #gone = new WeakSet<Holder>();
  #given = 0;

  constructor(limits: AdmissionLimits) {
    this.#admission = new Admission(limits);
  }

  /** The last questions of one that was killed may be read after its end: what it was given then would never be free. */
  take(holder: Holder, claim: PlaceClaim): PlaceAnswer {
    if (this.#gone.has(holder)) return NOBODY_ASKS;
    const place = this.#admission.admit(claim);
    if (place.refused) return place.refused;
    const number = (this.#given += 1);
    this.#of(holder).set(number, place);
    return { place: number };
  }

  /** With its listener. */
  move(from: Holder, to: Holder, number: number | undefined): void {
    const place = number === undefined ? undefined : this.#held.get(from)?.get(number);
    if (number === undefined || !place) return;
    this.#held.get(from)?.delete(number);
    this.#of(to).set(number, place);
  }

  leave(holder: Holder, number: number | undefined): void {
    if (number === undefined) return;
    this.#held.get(holder)?.get(number)?.[Symbol.dispose]();
    this.#held.get(holder)?.delete(number);
  }

  /** It has ended. */
  forget(holder: Holder): void {
    for (const place of this.#held.get(holder)?.values() ?? []) place[Symbol.dispose]();
    this.#held.delete(holder);
    this.#gone.add(holder);
  }

  #of(holder: Holder): Map<number, Place> {
    return this.#held.getOrInsertComputed(holder, () => new Map());
  }
}

const NOBODY_ASKS: PlaceAnswer = { refusal: 'full', text: 'the process that asks for a place has ended' };
