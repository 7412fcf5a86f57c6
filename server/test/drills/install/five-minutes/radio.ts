import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { startMopidyByHttp } from '../../../clients/players/mopidy.ts';
import { waitUntil } from '../../../time/wait-until.ts';
import { type HomeNetwork, MACHINE, STATION } from './home-network.ts';

/** In containers the list of stations is read meanwhile. */
const STATIONS_MS = 240_000;

/** Finds the station in Mopidy, which knows the directory by the name that radios have built in, and hears it. */
export async function hearStation({ house }: HomeNetwork): Promise<void> {
  const led = await waitUntil(
    'the name server',
    async () => (await house.run('dig', ['+short', '+tries=1', 'opml.radiotime.com'])).trim() || undefined,
    120_000,
  );
  assert.equal(led, MACHINE, 'the name leads to the machine, by the resolver that the radio was told');
  const { call } = await startMopidyByHttp(house);
  const uri = await waitUntil(
    `${STATION} in a search`,
    async () => {
      await call('library.refresh');
      type Found = { tracks?: { uri: string; album: { name: string } }[] }[];
      const results = await call<Found>('library.search', { query: { any: [STATION] } });
      const tracks = results.flatMap(({ tracks: several = [] }) => several);
      return tracks.find(({ album }) => album.name.startsWith(STATION))?.uri;
    },
    STATIONS_MS,
  );
  await call('tracklist.add', { uris: [uri] });
  await call('playback.play');
  const position = async (): Promise<number> => Number(await call('playback.get_time_position'));
  const started = await waitUntil('sound', async () => (await position()) || undefined, 60_000);
  await sleep(2000);
  const heard = (await position()) - started;
  assert.ok(heard > 1000, `in two seconds of listening ${heard} ms were heard`);
}
