/** A full collection, now. */
export function collectGarbage(): void {
  if (!globalThis.gc) throw new Error('start Node with --expose-gc, as `npm test` and `npm run bench` do');
  globalThis.gc();
}
