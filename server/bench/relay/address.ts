import { type RelayedStream, RelayKeys } from '../../src/core/streams/relay/relay-address.ts';

export const BENCH_KEY = 'a key for the bench, and for nothing else';

/** A path at the relay for each of so many listeners. */
export function relayPaths(count: number, variant: RelayedStream['variant']): string[] {
  const keys = new RelayKeys(BENCH_KEY);
  return Array.from({ length: count }, (_none, n) =>
    keys.sign({ streamId: 1, variant, who: keys.whoOf(`radio ${n}`), format: 'mp3' }, Date.now() + 3_600_000),
  );
}
