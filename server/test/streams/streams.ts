import type { House } from '../house/house.ts';
import { type ChainedOgg, startChainedOgg } from './chained-ogg.ts';
import { type Icecast, startIcecast } from './icecast.ts';
import { startShoutcast } from './shoutcast.ts';
import { type TownPlan, startTown } from './town.ts';

/** The songs of the station whose titles are in the links of an Ogg chain. */
export const CHAINED_SONGS = [
  { artist: 'Sigur Rós', title: 'Fljótavík' },
  { artist: 'Ólafur Arnalds', title: "It's 'Þú' again" },
] as const;
export const CHAINED_MOUNT = '/chained-opus';

export interface Streams {
  icecast: Icecast;
  chained: ChainedOgg;
}

/** Everything that can be heard in the town. It ends with the house. */
export async function startStreams(house: House, plan: TownPlan): Promise<Streams> {
  await startTown(house, plan);
  const icecast = await startIcecast(house);
  const [chained] = await Promise.all([
    startChainedOgg(house, icecast, { kind: 'opus', mount: CHAINED_MOUNT, songs: CHAINED_SONGS }),
    startShoutcast(house),
  ]);
  return { icecast, chained };
}
