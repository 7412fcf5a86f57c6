import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { audibleSeconds } from './audible-seconds.ts';
import type { House } from '../../house/house.ts';
import { startIcecast } from '../../house/icecast.ts';
import { startMpd } from './mpd.ts';
import { DIRECTORY, serveHouse } from '../../house/served-house.ts';
import { waitUntil } from '../../time/wait-until.ts';

const FOLK = `http://${DIRECTORY}/play/s1.mp3`;
const SOUND = '/harbourfolk-128.mp3';
const listAddress = (file: string): string => `http://${DIRECTORY}/lists/${file}`;

test('players given a list of the directory', async (t) => {
  await using served = await serveHouse();
  const { house } = served;
  await startIcecast(house);

  for (const file of ['s1.m3u', 's1.m3u8', 's1.pls']) {
    await t.test(`mpv plays ${file}`, async () => {
      const { said, seconds } = await mpv(house, listAddress(file));
      assert.ok(said.includes(`Playing: ${FOLK}`), said);
      assert.ok(seconds >= 2, `${seconds} s of sound: ${said}`);
    });
  }

  for (const file of ['s1.m3u', 's1.pls', 's1.xspf']) {
    await t.test(`VLC plays ${file}`, async () => {
      const { said, seconds } = await vlc(house, listAddress(file));
      assert.match(said, new RegExp(`GET ${SOUND} `));
      assert.ok(seconds >= 2, `${seconds} s of sound: ${said.slice(-2000)}`);
    });
  }

  await t.test('MPD loads a list and plays its stations by their addresses here', async () => {
    const mpc = await startMpd(house);
    for (const file of ['ie.m3u', 'ie.pls', 'ie.xspf']) {
      await mpc('clear');
      await mpc('load', listAddress(file));
      const loaded = (await mpc('playlist', '-f', '%file%')).trim().split('\n');
      assert.ok(loaded.includes(FOLK), loaded.join(' '));
    }
    await mpc('play', String((await mpc('playlist', '-f', '%file%')).split('\n').indexOf(FOLK) + 1));
    await waitUntil(
      'two seconds of it',
      async () => /playing\].* 0:0[2-9]\//.test(await mpc('status')) || undefined,
    );
    assert.equal((await mpc('-f', '%file%', 'current')).trim(), FOLK);
  });
});

interface Listening {
  said: string;
  seconds: number;
}

async function mpv(house: House, address: string): Promise<Listening> {
  const recording = join(house.folder, `mpv-${address.slice(-6)}.wav`);
  const sound = ['--no-config', '--ytdl=no', '--no-video', '--ao=pcm', `--ao-pcm-file=${recording}`];
  const args = [...sound, '--audio-format=s16', '--length=3', address];
  const said = await house.run('bash', ['-c', 'mpv "$@" 2>&1', 'mpv', ...args]);
  return { said, seconds: audibleSeconds(recording) };
}

async function vlc(house: House, address: string): Promise<Listening> {
  const recording = join(house.folder, `vlc-${address.slice(-6)}.wav`);
  const sound = ['--no-video', '--aout=afile', `--audiofile-file=${recording}`, '--audiofile-format=s16'];
  const play = ['--run-time=3', '--play-and-exit', '-vv', address, 'vlc://quit'];
  const said = await house.run('bash', ['-c', 'cvlc "$@" 2>&1', 'vlc', '-I', 'dummy', ...sound, ...play], {
    asNobody: true,
  });
  return { said, seconds: audibleSeconds(recording) };
}
