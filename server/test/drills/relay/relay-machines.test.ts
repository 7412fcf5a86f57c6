import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Program } from '../../processes/program.ts';
import { waitFor } from '../../time/wait-until.ts';
import { type Farm, openFarm } from '../../streams/farm.ts';
import type { StationName } from '../../streams/stations.ts';

const ONE = 'http://opml.radiotime.com:8704';
const OTHER = 'http://opml.radiotime.com:8714';
const SETTINGS = {
  RELAY: 'home',
  RELAY_KEY: 'a key of the relay, forty characters 1234',
  RELAY_ADDRESS: `${ONE},${OTHER}`,
};
const SOUND_BYTES = 10_000;
/** Those that a radio without TLS hears by a relay only. */
const STATIONS = [
  'Secure Harbour',
  'Secure Advanced Harbour',
  'Segment Harbour',
  'Tagged Harbour',
  'Master Harbour',
  'Shared Harbour',
] as const satisfies StationName[];

describe('two relays share the stations', () => {
  let farm: Farm;
  let other: Program;
  before(async () => {
    farm = await openFarm({ env: SETTINGS });
    await farm.relay();
    other = await farm.relay({ RELAY_PORT: '8714', RELAY_PRIVATE_PORT: '8715' });
  });
  after(() => farm[Symbol.asyncDispose]());

  const addressOf = async (station: StationName): Promise<string> => {
    const answer = await farm.get(`/Tune.ashx?id=${farm.idOf(station)}&device=old-radio`);
    return answer.split('\n').find((line) => line.includes('/r/')) ?? '';
  };
  /** By station, the relay it is at. */
  const origins = async (): Promise<string[]> =>
    Promise.all(STATIONS.map(async (station) => URL.parse(await addressOf(station))?.origin ?? 'none'));
  /** Twice the same: a relay may come or go between the answers for two stations. */
  const untilSeen = (what: string, isSo: (at: readonly string[]) => boolean): Promise<string[]> =>
    waitFor(other, what, async () => {
      const [at, still] = [await origins(), await origins()];
      return isSo(at) && isDeepStrictEqual(at, still) ? at : undefined;
    });
  /** Until there were so many bytes of sound; a busy machine takes its time. */
  const listen = async (address: string): Promise<void> => {
    const script = `curl -0 -sS --no-buffer -m 30 "$1" 2>/dev/null | head -c ${SOUND_BYTES} | wc -c`;
    const heard = await farm.house.run('bash', ['-c', script, 'radio', address]);
    assert.equal(Number(heard), SOUND_BYTES, address);
  };

  test('each has its stations; who dies is passed over, and has them again when it is back', async () => {
    const both = await untilSeen('both to be seen', (at) => at.includes(ONE) && at.includes(OTHER));
    assert.deepEqual(await origins(), both, 'a station stays where it is');

    // A station of the one is served by the other as well: an address may be older than what is known now.
    const ofTheOne = await addressOf(STATIONS[both.indexOf(ONE)]!);
    const moved = ofTheOne.replace(ONE, OTHER);
    await listen(ofTheOne);
    await listen(moved);

    await farm.house.run('pkill', ['-o', '-KILL', '-f', 'main.ts relay']);
    await untilSeen('the dead one to be passed over', (at) => at.every((origin) => origin === OTHER));
    await listen(await addressOf(STATIONS[both.indexOf(ONE)]!));

    await farm.relay();
    const again = await untilSeen('it to be seen again', (at) => at.includes(ONE));
    assert.deepEqual(again, both, 'what it had, and nothing else, has come back to it');
  });
});
