import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { House } from '../../house/house.ts';
import { waitFor } from '../../time/wait-until.ts';

/** A command to it, and what it answers. */
export type Mpc = (...args: string[]) => Promise<string>;

/** MPD in a house, which plays in real time to nobody; with more lines in its settings, if wanted. */
export async function startMpd(house: House, more: readonly string[] = []): Promise<Mpc> {
  const socket = join(house.folder, 'mpd.socket');
  const file = join(house.folder, 'mpd.conf');
  const output = ['audio_output {', 'type "null"', 'name "nobody listens"', 'sync "yes"', '}'];
  const lines = [`bind_to_address "${socket}"`, 'zeroconf_enabled "no"', ...output, ...more];
  writeFileSync(file, `${lines.join('\n')}\n`);
  const mpd = house.start('mpd', ['--no-daemon', '--stderr', file]);
  const mpc: Mpc = (...args) => house.run('mpc', ['--host', socket, ...args]);
  await waitFor(mpd, 'MPD', () => mpc('status'));
  return mpc;
}
