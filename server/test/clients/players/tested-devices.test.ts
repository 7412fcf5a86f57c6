import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { findProfile, profileOfUserAgent } from '../../../src/core/devices/profiles.ts';
import { formatNames } from '../../../src/lib/stream-format.ts';
import { audibleSeconds } from './audible-seconds.ts';
import { type House, openHouse } from '../../house/house.ts';
import { type Mpc, startMpd } from './mpd.ts';
import type { Program } from '../../processes/program.ts';
import { waitFor, waitUntil } from '../../time/wait-until.ts';

/** What a profile says is true of the program itself: each plays every format that it is said to play, and that we can make. */
const SOUNDS: Readonly<Record<string, readonly string[]>> = {
  mp3: ['live.mp3'],
  aac: ['live.aac'],
  ogg: ['-c:a', 'libvorbis', 'live.ogg'],
  opus: ['-c:a', 'libopus', 'live.opus'],
  flac: ['live.flac'],
  wav: ['live.wav'],
  wma: ['live.wma'],
  hls: ['-c:a', 'aac', '-hls_time', '2', '-hls_list_size', '0', 'live.m3u8'],
};
const ORIGIN = 'http://stream.example.net';
const addressOf = (format: string): string => `${ORIGIN}/${SOUNDS[format]?.at(-1)}`;

let house: House;
let station: Program;
before(async () => {
  house = await openHouse();
  const folder = join(house.folder, 'sounds');
  mkdirSync(folder);
  const tone = ['-v', 'error', '-f', 'lavfi', '-i', 'sine=frequency=440:duration=8', '-ar', '48000'];
  for (const output of Object.values(SOUNDS))
    await house.run('bash', ['-c', `cd ${folder} && ffmpeg "$@"`, 'ffmpeg', ...tone, ...output]);
  writeFileSync(join(folder, 'list.pls'), `[playlist]\nFile1=${ORIGIN}/live.mp3\nNumberOfEntries=1\n`);
  writeFileSync(join(folder, 'page.html'), PAGE);
  const server = join(import.meta.dirname, 'serve-sounds.ts');
  station = house.start(process.execPath, [server, folder, '127.0.0.2']);
  await waitFor(station, 'the station', async () => station.said().includes('"serving"') || undefined);
});
after(() => house[Symbol.asyncDispose]());

/** The formats of a profile that we have a sound of. */
function formatsOf(id: string): string[] {
  const names = formatNames((findProfile(id) ?? assert.fail(id)).formats);
  return names.filter((name) => name in SOUNDS);
}

/** What it called itself when it asked for a file, and that this is the profile's. */
function assertKnown(id: string, file: string): void {
  const calls = [...station.said().matchAll(/^\{"url".*\}$/gm)].map(([line]) => JSON.parse(line));
  const agents = calls.filter(({ url }) => url === `/${file}`).map(({ agent }) => String(agent));
  assert.ok(
    agents.some((agent) => profileOfUserAgent(agent)?.id === id),
    `${file} was asked for by ${agents.join(' and ')}`,
  );
}

test('mpv is known by its name, and plays what its profile says', async () => {
  for (const format of formatsOf('mpv')) {
    const recording = join(house.folder, `mpv-${format}.wav`);
    const sound = ['--ao=pcm', `--ao-pcm-file=${recording}`, '--audio-format=s16', '--length=2'];
    await house.run('mpv', ['--no-config', '--ytdl=no', '--no-video', ...sound, addressOf(format)]);
    assert.ok(audibleSeconds(recording) >= 1, format);
  }
  assertKnown('mpv', 'live.mp3');
});

test('VLC is known by its name, and plays what its profile says', async () => {
  for (const format of formatsOf('vlc')) {
    const recording = join(house.folder, `vlc-${format}.wav`);
    const sound = ['--aout=afile', `--audiofile-file=${recording}`, '--audiofile-format=s16'];
    const args = ['-I', 'dummy', '--no-video', ...sound, '--run-time=2', '--play-and-exit'];
    await house.run('cvlc', [...args, addressOf(format), 'vlc://quit'], { asNobody: true });
    assert.ok(audibleSeconds(recording) >= 1, format);
  }
  assertKnown('vlc', 'live.mp3');
});

test('MPD is known by its name, plays what its profile says, and no playlist within its list', async () => {
  const mpc = await startMpd(house);
  for (const format of formatsOf('mpd')) await playsInMpd(mpc, addressOf(format));
  assertKnown('mpd', 'live.mp3');
  await assert.rejects(playsInMpd(mpc, `${ORIGIN}/list.pls`, 3000));
});

async function playsInMpd(mpc: Mpc, address: string, deadlineMs?: number): Promise<void> {
  await mpc('clear');
  await mpc('add', address);
  await mpc('play');
  const isHeard = async () => /playing\].* 0:0[1-9]\//.test(await mpc('status')) || undefined;
  await waitUntil(`MPD plays ${address}`, isHeard, deadlineMs);
}

/** Plays each sound that the address names, one after the other, and asks for `/heard-NAME` when a second of it was played. */
const PAGE = `<script>
  const heard = (file) => new Promise((done) => {
    const sound = new Audio(file);
    sound.ontimeupdate = () => sound.currentTime >= 1 && done('heard-');
    sound.onerror = () => done('silent-');
    sound.play().catch(() => done('silent-'));
  }).then((word) => fetch(word + file));
  (async () => { for (const file of location.hash.slice(1).split(',')) await heard(file); })();
</script>`;

/** What the page says of each sound, in its order. */
const told = (): string[] =>
  [...station.said().matchAll(/"\/(heard|silent)-([\w.]+)"/g)].map(([, word, file]) => `${word} ${file}`);

test('Chromium is known by its name, and plays what its profile says, but no WMA and no PLS', async () => {
  const files = [...formatsOf('web').map((format) => SOUNDS[format]?.at(-1) ?? ''), 'live.wma', 'list.pls'];
  const browser = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
  const profile = `--user-data-dir=${join(house.folder, 'chromium')}`;
  const play = '--autoplay-policy=no-user-gesture-required';
  const args = [...browser, profile, play, '--mute-audio', `${ORIGIN}/page.html#${files.join(',')}`];
  const chromium = house.start('chromium', args);
  await waitFor(chromium, 'all sounds', async () => told().length === files.length || undefined);
  assert.deepEqual(
    told(),
    files.map((file) => `${/wma|pls/.test(file) ? 'silent' : 'heard'} ${file}`),
  );
  assertKnown('web', 'page.html');
});
