import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { addStationKey, listStationKeys, removeStationKey } from '../../server/src/catalog/station-keys.ts';
import { guideId } from '../../server/src/lib/guide-id.ts';
import { findFictional } from './fill.ts';
import type { Song } from './fiction/fiction.ts';
import { isCalled } from './server.ts';

/** What the teller of songs needs to know of a station. */
export interface Broadcaster {
  id: string;
  key: string;
  songs: readonly Song[];
}

const KEY_NAME = 'demo';
const broadcastersFile = (folder: string): string => join(folder, 'broadcasters.json');
const pidFile = (folder: string): string => join(folder, 'tell-songs.pid');

/** Makes the made-up stations broadcasters, with new keys in the place of those of the last time. */
export async function makeBroadcasters(pool: Pool, folder: string): Promise<void> {
  const broadcasters: Broadcaster[] = [];
  for (const { id, songs } of await findFictional(pool)) {
    const old = (await listStationKeys(pool, id)).filter(({ name }) => name === KEY_NAME);
    for (const { key_hash: hash } of old) await removeStationKey(pool, id, hash);
    const key = await addStationKey(pool, id, KEY_NAME);
    // An operator who has made ten of their own needs no songs of ours.
    if (key !== undefined) broadcasters.push({ id: guideId('s', id), key, songs });
  }
  writeFileSync(broadcastersFile(folder), JSON.stringify(broadcasters), { mode: 0o600 });
}

/** Starts who tells the songs. Where nobody ends it, it ends by itself soon after the server has. */
export function tellSongs(folder: string, settings: NodeJS.ProcessEnv): void {
  const args = [
    join(import.meta.dirname, 'tell-songs.ts'),
    broadcastersFile(folder),
    `${settings['HTTP_PORT']}`,
  ];
  const teller = spawn(process.execPath, args, { detached: true, stdio: 'ignore' });
  teller.unref();
  writeFileSync(pidFile(folder), `${teller.pid}`);
}

export function stopTelling(folder: string): void {
  if (!existsSync(pidFile(folder))) return;
  const pid = Number(readFileSync(pidFile(folder), 'utf8'));
  if (isCalled(pid, 'tell-songs.ts')) process.kill(pid, 'SIGTERM');
  rmSync(pidFile(folder), { force: true });
}
