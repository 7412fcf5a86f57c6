import type { House } from './house.ts';
import { waitFor } from '../time/wait-until.ts';

/** Debian's Icecast 2.4.4 crashes as it starts once in some hundred times, as soon as it is asked something. */
const TRIES = 3;

interface OnAir {
  /** The file of Icecast's settings. */
  settings: string;
  /** What ffmpeg is started with to be its source. */
  source: readonly string[];
  /** What Icecast says of its mounts. */
  status: () => Promise<string>;
  /** Names of mounts as they stand in that. */
  mounts: readonly string[];
}

/** Starts Icecast and its source, which end with the house, and returns when every mount is on air. */
export async function putOnAir(house: House, { settings, source, status, mounts }: OnAir): Promise<void> {
  for (let tried = 1; ; tried++) {
    const server = house.start('icecast2', ['-c', settings], { asNobody: true });
    try {
      await waitFor(server, 'Icecast', status);
      const sending = house.start('ffmpeg', source);
      await waitFor(sending, 'every mount of Icecast', async () => {
        const text = await status();
        return mounts.every((mount) => text.includes(mount)) || undefined;
      });
      return;
    } catch (error) {
      if (!server.hasEnded() || tried === TRIES) throw error;
    }
  }
}
