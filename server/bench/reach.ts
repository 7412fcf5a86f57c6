import { profileIds, findProfile } from '../src/core/devices/profiles.ts';
import { buildSnapshot } from '../src/core/directory/snapshot/build-snapshot.ts';
import type { DirectoryStation } from '../src/core/directory/snapshot/snapshot.ts';
import { chooseStreams } from '../src/core/streams/choose-streams.ts';
import { type Player, playerOf } from '../src/core/streams/player.ts';
import { type RelayReach, withRelayed } from '../src/core/streams/relay/relayed.ts';
import { ALL_FORMATS } from '../src/lib/stream-format.ts';
import { createPool } from '../src/storage/db/pool.ts';

/** Without a relay, with one that copies, and with one that also converts. */
const RELAYS = {
  directly: undefined,
  'with the relay': { isSecure: true, converts: false },
  'with conversions': { isSecure: true, converts: true },
};

/** `npm run bench -- reach`: the share of stations that each kind of device plays, without and with a relay. */
export async function run(_args: string[]): Promise<void> {
  const databaseUrl = process.env['DATABASE_URL'];
  if (!databaseUrl) throw new Error('DATABASE_URL is not set; npm run services -- up gives a database');
  const pool = createPool({ databaseUrl, size: 2, applicationName: 'longwave bench' });
  try {
    const { stations } = await buildSnapshot(pool);
    const ids = profileIds().split(', ');
    console.log(`${stations.length} stations; by station, and by how often they are listened to:`);
    console.table(Object.fromEntries(ids.map((id) => [id, rowOf(id, stations)])));
  } finally {
    await pool.end();
  }
}

function rowOf(id: string, stations: readonly DirectoryStation[]): Record<string, string> {
  const profile = findProfile(id);
  if (!profile) throw new Error(`there is no profile ${id}`);
  // Over HTTPS, where a page is: that is what browsers block.
  const player = playerOf(profile, {
    formats: ALL_FORMATS,
    isSecure: profile.secureFirst,
    directOnly: false,
  });
  const shares = Object.entries(RELAYS).map(
    ([name, reach]) => [name, shareOf(stations, (station) => isHeard(station, player, reach))] as const,
  );
  return Object.fromEntries([
    ...shares.map(([name, { byStation }]) => [name, byStation]),
    ...shares.map(([name, { byListening }]) => [`${name}, by listening`, byListening]),
  ]);
}

/** Whether the first thing it tries is a stream that it can play; a page over HTTPS cannot play plain HTTP, and who plays files alone no stream. */
function isHeard({ streams }: DirectoryStation, player: Player, reach: RelayReach | undefined): boolean {
  const order = withRelayed(chooseStreams(streams, player), player, reach);
  return order.some(
    ({ stream, relayedFor }) =>
      relayedFor !== undefined ||
      (player.filesOnly !== true && (!player.secureFirst || stream.address.startsWith('https:'))),
  );
}

function shareOf(
  stations: readonly DirectoryStation[],
  isPlayed: (station: DirectoryStation) => boolean,
): { byStation: string; byListening: string } {
  let [played, listening, all] = [0, 0, 0];
  for (const station of stations) {
    all += station.clicks;
    if (!isPlayed(station)) continue;
    played += 1;
    listening += station.clicks;
  }
  return { byStation: percent(played / stations.length), byListening: percent(listening / all) };
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
