import type { House } from '../house/house.ts';
import type { Program } from '../processes/program.ts';
import { waitFor } from '../time/wait-until.ts';
import { address, nameOf } from './hosts.ts';

const PORT = 8000;
/** Where the relay answers `ICY 200 OK`, as SHOUTcast did before it spoke HTTP. */
export const SHOUTCAST = `http://${nameOf('shoutcast')}:${PORT}/`;

/** It may die of a listener who leaves early; the next one finds it on air again. */
const STAY = 'trap "" PIPE; while :; do streamripper "$@"; sleep 0.1; done';
const RELAY = ['-r', String(PORT), '-R', '0', '-A', '-a', '/dev/null', '--quiet'];

/** Streamripper's relay of Icecast's MP3, titles included. It ends with the house. */
export async function startShoutcast(house: House): Promise<Program> {
  const program = house.start('bash', ['-c', STAY, 'relay', address('icecast', '/mp3'), ...RELAY]);
  await waitFor(program, 'the relay', async () => {
    const listening = await house.run('ss', ['-ltnH', `sport = :${PORT}`]);
    return listening !== '' || undefined;
  });
  return program;
}
