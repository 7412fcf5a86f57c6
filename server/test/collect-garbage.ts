/** A full collection, now. Exposed after the start, V8 has been seen to end the process in the middle of a long run. */
export function collectGarbage(): void {
  if (!globalThis.gc) throw new Error('start Node with --expose-gc, as `npm test` and `npm run bench` do');
  globalThis.gc();
}
