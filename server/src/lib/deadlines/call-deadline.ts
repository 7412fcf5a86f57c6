import { AsyncLocalStorage } from 'node:async_hooks';

/** The end of the current call, on the clock of `performance.now()`. */
const ends = new AsyncLocalStorage<number>();

/** Runs a call that is answered after this time at the latest, whatever it is still waiting for. */
export const withCallDeadline = <T>(timeoutMs: number, call: () => T): T =>
  ends.run(performance.now() + timeoutMs, call);

/** Infinite outside of a call. */
export const msLeftOfCall = (): number => (ends.getStore() ?? Infinity) - performance.now();
