import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RelayKeys } from '../../src/core/streams/relay/relay-address.ts';
import type { HeardByMany } from '../streams/drive-listeners.ts';
import type { Farm } from '../streams/farm.ts';
import type { StationName } from '../streams/stations.ts';

export const RELAY_KEY = 'a key of the relay, forty characters 1234';
const LISTEN = join(import.meta.dirname, '../streams/drive-listeners.ts');

/** Addresses of a station at the relay, each for another radio, in a file. */
export async function addressesOf(
  farm: Farm,
  count: number,
  station: StationName = 'Secure Harbour',
): Promise<string> {
  const { rows } = await farm.pool.query<{ id: string }>('SELECT id FROM streams WHERE station_id = $1', [
    farm.idOf(station).slice(1),
  ]);
  const streamId = Number(rows[0]?.id);
  const keys = new RelayKeys(RELAY_KEY);
  const lines = Array.from({ length: count }, (_none, n) => {
    const facts = { streamId, variant: 'c', who: keys.whoOf(`radio ${n}`), format: 'mp3' } as const;
    return `http://127.0.0.1:8704${keys.sign(facts, Date.now() + 3_600_000)}`;
  });
  const file = join(farm.house.folder, `addresses-${streamId}-${count}`);
  writeFileSync(file, lines.join('\n'));
  return file;
}

/** All of them at once, for some seconds. */
export const listenTo = async (farm: Farm, file: string, seconds: number): Promise<HeardByMany> =>
  JSON.parse(
    await farm.house.run(process.execPath, [LISTEN, file, `${seconds}`], {
      deadlineMs: 1000 * (seconds + 120),
    }),
  );
