import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { audibleSeconds } from '../clients/players/audible-seconds.ts';
import type { House } from '../house/house.ts';
import { startMopidy } from '../clients/players/mopidy.ts';
import { startMpd } from '../clients/players/mpd.ts';
import { fetchPackage } from '../clients/libraries/npm-package.ts';
import { DIRECTORY } from '../house/served-house.ts';
import type { Farm } from './farm.ts';
import { secureCertFile } from './town.ts';

/** Plays stations one after the other, and says how many seconds of each were heard; a second is enough. */
export type Player = (farm: Farm, ids: readonly string[]) => Promise<Record<string, number>>;

const ENOUGH_SECONDS = 1;
/** Long enough for a machine with a fifth of its speed; what plays ends the wait at once. */
const MAX_WAIT_MS = 45_000;
const tuneAddress = (id: string): string => `http://${DIRECTORY}/Tune.ashx?id=${id}`;

async function each(
  ids: readonly string[],
  play: (id: string) => Promise<number>,
): Promise<Record<string, number>> {
  const played: Record<string, number> = {};
  for (const id of ids) played[id] = await play(id).catch(() => 0);
  return played;
}

const heardIn = (recording: string): number => (existsSync(recording) ? audibleSeconds(recording) : 0);

/** It writes what it plays as fast as it comes, so that two seconds of a stream are there at once. */
export const mpv: Player = ({ house }, ids) =>
  each(ids, async (id) => {
    const recording = join(house.folder, `mpv-${id}.wav`);
    const sound = ['--ao=pcm', `--ao-pcm-file=${recording}`, '--audio-format=s16', '--length=2'];
    const args = ['--no-config', '--ytdl=no', '--no-video', ...sound, tuneAddress(id)];
    await endure(house, 'mpv', args);
    return heardIn(recording);
  });

/** It counts a running time in the stream's own, which begins anywhere; so it is stopped by the clock. */
export const vlc: Player = ({ house }, ids) =>
  each(ids, async (id) => {
    const recording = join(house.folder, `vlc-${id}.wav`);
    const sound = ['--aout=afile', `--audiofile-file=${recording}`, '--audiofile-format=s16'];
    const player = ['cvlc', '-I', 'dummy', '--no-video', ...sound, tuneAddress(id)];
    await endure(house, 'timeout', ['-s', 'INT', '4', ...player], true);
    return heardIn(recording);
  });

/** How a player ends does not matter: it may have met streams that are gone on its way. */
const endure = (
  house: House,
  program: string,
  args: readonly string[],
  asNobody = false,
): Promise<string> => {
  const script = 'timeout 20 "$@" > /dev/null 2>&1; true';
  return house.run('bash', ['-c', script, 'player', program, ...args], { asNobody });
};

/** Seconds by which the position moves on, once it does. */
async function advance(position: () => Promise<number | undefined>): Promise<number> {
  const end = performance.now() + MAX_WAIT_MS;
  let first: number | undefined;
  while (performance.now() < end) {
    const now = await position();
    if (now !== undefined && now > 0) first ??= now;
    if (now !== undefined && first !== undefined && now - first >= ENOUGH_SECONDS) return now - first;
    await sleep(200);
  }
  return 0;
}

export const mpd: Player = async ({ house }, ids) => {
  const mpc = await startMpd(house);
  return each(ids, async (id) => {
    await mpc('clear');
    await mpc('load', tuneAddress(id));
    // It may tell already here that the first stream is gone, and goes on to the next.
    await mpc('play').catch(() => undefined);
    return advance(async () => {
      const [, minutes, seconds] = /\[playing\].* (\d+):(\d+)\//.exec(await mpc('status')) ?? [];
      return seconds === undefined ? undefined : Number(minutes) * 60 + Number(seconds);
    });
  });
};

/** Whatever fails holds it up for what comes after, so that each failure shows as several. */
export const mopidy: Player = async (farm, ids) => {
  const { call } = await startMopidy(farm);
  return each(ids, async (id) => {
    await call('playback.stop');
    await call('tracklist.clear');
    await call('tracklist.add', { uris: [`tunein:station:${id}`] });
    await call('playback.play');
    return advance(async () => {
      const state = await call<string>('playback.get_state');
      return state === 'playing' ? Number(await call('playback.get_time_position')) / 1000 : undefined;
    });
  });
};

export const chromium: Player = async ({ house, certFile }, ids) => {
  const drive = join(import.meta.dirname, 'drive-audio.ts');
  const certFiles = [certFile, secureCertFile(house)].join(',');
  const args = [drive, fetchPackage('playwright-core', '1.65.0'), certFiles, ids.join(',')];
  return JSON.parse(await house.run(process.execPath, args, { deadlineMs: 300_000 }));
};
