import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { audibleSeconds } from './audible-seconds.ts';
import type { House } from '../../house/house.ts';
import { startIcecast } from '../../house/icecast.ts';
import { startMpd } from './mpd.ts';
import { DIRECTORY, serveHouse } from '../../house/served-house.ts';
import { waitUntil } from '../../time/wait-until.ts';

const tuneAddress = (id: string): string => `http://${DIRECTORY}/Tune.ashx?id=${id}`;
const STATIONS = [
  {
    kind: 'whose first stream is on air',
    id: 's1',
    mount: '/harbourfolk-128.mp3',
    title: 'Tide - Low Water',
  },
  {
    kind: 'whose first stream is gone',
    id: 's3',
    mount: '/lanternjazz-64.aacp',
    title: 'Nine Lamps - Corner',
  },
] as const;

test('players given the address of a station', async (t) => {
  await using served = await serveHouse();
  const { house, get } = served;
  const icecast = await startIcecast(house);
  for (const { mount, title } of STATIONS) await icecast.setTitle(mount, title);

  await t.test('the streams are in the order that these tests stand on', async () => {
    assert.match(await get('/Tune.ashx?id=s1'), /^\S+\/harbourfolk-128\.mp3\n/);
    assert.match(await get('/Tune.ashx?id=s3'), /^\S+\/lanternjazz-192\.mp3\n\S+\/lanternjazz-64\.aacp\n/);
  });

  for (const { kind, id, mount } of STATIONS) {
    await t.test(`mpv plays one ${kind}`, async () => {
      const { said, seconds } = await mpv(house, id);
      assert.match(said, new RegExp(`Playing: \\S+${mount}\\n`));
      assert.ok(seconds >= 2, `${seconds} s of sound: ${said}`);
    });
    await t.test(`VLC plays one ${kind}`, async () => {
      const { said, seconds } = await vlc(house, id);
      assert.match(said, new RegExp(`GET ${mount} `));
      assert.ok(seconds >= 2, `${seconds} s of sound: ${said.slice(-2000)}`);
    });
  }

  await t.test('MPD plays both, one after the other', async () => {
    const mpc = await startMpd(house);
    for (const { id, mount, title } of STATIONS) {
      await mpc('clear');
      await mpc('load', tuneAddress(id));
      // MPD may tell already here that the first stream is gone; what counts is what it plays then.
      await mpc('play').catch((error: unknown) => assert.match(String(error), /lanternjazz-192\.mp3;.* 404/));
      const current = (): Promise<string> => mpc('-f', '%file% %title%', 'current');
      await waitUntil(
        `MPD plays ${mount}`,
        async () => (await current()).endsWith(`${mount} ${title}\n`) || undefined,
      );
      await waitUntil(
        'two seconds of it',
        async () => /playing\].* 0:0[2-9]\//.test(await mpc('status')) || undefined,
      );
    }
  });
});

interface Listening {
  said: string;
  seconds: number;
}

/** It ends with status 3, since the later streams of the playlist, which it tries as well, are gone. */
async function mpv(house: House, id: string): Promise<Listening> {
  const recording = join(house.folder, `mpv-${id}.wav`);
  const sound = ['--no-config', '--ytdl=no', '--no-video', '--ao=pcm', `--ao-pcm-file=${recording}`];
  const args = [...sound, '--ao-pcm-append=yes', '--audio-format=s16', '--length=3', tuneAddress(id)];
  const script = 'mpv "$@" 2>&1; [ $? -eq 3 ]';
  const said = await house.run('bash', ['-c', script, 'mpv', ...args]);
  return { said, seconds: audibleSeconds(recording) };
}

async function vlc(house: House, id: string): Promise<Listening> {
  const recording = join(house.folder, `vlc-${id}.wav`);
  const sound = ['--no-video', '--aout=afile', `--audiofile-file=${recording}`, '--audiofile-format=s16'];
  const args = [
    '-I',
    'dummy',
    ...sound,
    '--run-time=3',
    '--play-and-exit',
    '-vv',
    tuneAddress(id),
    'vlc://quit',
  ];
  const said = await house.run('bash', ['-c', 'cvlc "$@" 2>&1', 'vlc', ...args], { asNobody: true });
  return { said, seconds: audibleSeconds(recording) };
}
