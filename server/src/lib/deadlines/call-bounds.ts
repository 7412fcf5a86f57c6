import { AsyncLocalStorage } from 'node:async_hooks';

/** How many may do something at once. */
export interface Slots {
  inUse: number;
  readonly max: number;
}

interface Bounds {
  /** On the clock of `performance.now()`. */
  endsMs: number;
  databaseSlots: Slots | undefined;
}

/** Of the current call. */
const bounds = new AsyncLocalStorage<Bounds>();

/**
 * Runs a call that is answered after this time at the latest, whatever it is still waiting for. Of calls that share slots, only so
 * many wait for the database.
 */
export const withCallBounds = <T>(timeoutMs: number, databaseSlots: Slots | undefined, call: () => T): T =>
  bounds.run({ endsMs: performance.now() + timeoutMs, databaseSlots }, call);

/** Infinite outside of a call. */
export const msLeftOfCall = (): number => (bounds.getStore()?.endsMs ?? Infinity) - performance.now();

/** Undefined outside of a call, and for calls that have other bounds. */
export const databaseSlots = (): Slots | undefined => bounds.getStore()?.databaseSlots;
