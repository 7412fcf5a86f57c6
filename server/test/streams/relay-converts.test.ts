import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { audibleSeconds } from '../clients/players/audible-seconds.ts';
import type { Program } from '../processes/program.ts';
import { waitFor } from '../time/wait-until.ts';
import { countFrames } from './count-frames.ts';
import { type Farm, openFarm } from './farm.ts';
import type { StationName } from './stations.ts';

const SETTINGS = {
  RELAY: 'home',
  RELAY_KEY: 'a key of the relay, forty characters 1234',
  RELAY_CONVERSIONS: '2',
};
const STATIONS = ['Vorbis Harbour', 'Opus Harbour', 'Lossless Harbour'] as const;

describe('radios hear stations whose format they lack, as MP3', () => {
  let farm: Farm;
  let relay: Program;
  before(async () => {
    farm = await openFarm({ env: SETTINGS });
    relay = await farm.relay();
    await waitFor(
      relay,
      'the directory to see the relay',
      async () => (await addressOf('Vorbis Harbour')).includes('/r/') || undefined,
    );
  });
  after(() => farm[Symbol.asyncDispose]());

  const tune = (station: StationName, more = ''): Promise<string> =>
    farm.get(`/Tune.ashx?id=${farm.idOf(station)}&device=old-radio${more}`);
  const addressOf = async (station: StationName): Promise<string> =>
    (await tune(station)).split('\n')[0] ?? '';
  const listen = async (address: string, seconds: number): Promise<Buffer> => {
    const file = join(farm.house.folder, `heard-${Math.random()}`);
    const script = 'curl -0 -sS --no-buffer "$@" || true';
    await farm.house.run('bash', ['-c', script, 'curl', '-m', `${seconds}`, '-o', file, address]);
    return readFileSync(file);
  };

  for (const station of STATIONS)
    test(`mpv plays ${station}`, async () => {
      const address = await addressOf(station);
      assert.match(address, /\/r\/\w+\.m128\.[\w.-]+\.mp3$/);
      const recording = join(farm.house.folder, `${farm.idOf(station)}.wav`);
      const sound = ['--ao=pcm', `--ao-pcm-file=${recording}`, '--audio-format=s16', '--length=2'];
      const player = ['mpv', '--no-config', '--ytdl=no', '--no-video', ...sound, address];
      await farm.house.run('bash', ['-c', 'timeout 40 "$@" > /dev/null 2>&1; true', 'player', ...player]);
      const heard = audibleSeconds(recording);
      assert.ok(heard >= 1, `${heard} seconds were heard`);
    });

  test('the answer says MP3 of 128 kbit/s, and why', async () => {
    const [outline] = JSON.parse(await tune('Opus Harbour', '&render=json')).body;
    assert.deepEqual([outline.media_type, outline.bitrate], ['mp3', 128]);
    const explained = await tune('Opus Harbour', '&explain=true');
    assert.match(explained, /in a format that the device lacks, and the relay converts it to MP3/);
  });

  test('an ffmpeg that is killed is replaced, and the radio hears on', async () => {
    const heard = listen(await addressOf('Vorbis Harbour'), 14);
    await sleep(5000);
    await farm.house.run('pkill', ['-KILL', '-f', 'libmp3lame.*pipe:1']);
    const { seconds, gaps } = countFrames(await heard);
    assert.ok(seconds > 8, `${seconds} seconds of sound in 14`);
    assert.equal(gaps, 0, 'every frame is whole');
    assert.match(relay.said(), /it cannot be converted to MP3/);
  });

  test('with the last listener ffmpeg ends', async () => {
    const gone =
      'for n in $(seq 100); do pgrep -f "[l]ibmp3lame.*pipe:1" > /dev/null || exit 0; sleep 0.2; done; exit 1';
    await farm.house.run('bash', ['-c', gone]);
  });

  test('no more at a time than the operator allows', async () => {
    const tuned = await Promise.all(STATIONS.map((station, n) => tune(station, `&serial=radio-${n}`)));
    const addresses = tuned.map((answer) => answer.split('\n')[0] ?? '');
    const heard = await Promise.all(addresses.map((address) => listen(address, 6)));
    const refused = heard.filter((body) => body.toString().includes('RELAY_CONVERSIONS'));
    assert.equal(refused.length, 1);
  });
});
