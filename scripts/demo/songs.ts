import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import {
  addStationKey,
  listStationKeys,
  removeStationKey,
} from '../../server/src/storage/catalog/stations/station-keys.ts';
import { guideId } from '../../server/src/lib/guide-id.ts';
import { findFictional } from './fill.ts';
import type { Song } from './fiction/fiction.ts';
import { isCalled } from './server.ts';

/** What `publish-songs.ts` needs to know about a station. */
export interface Broadcaster {
  id: string;
  key: string;
  songs: readonly Song[];
}

const KEY_NAME = 'demo';
const broadcastersFile = (folder: string): string => join(folder, 'broadcasters.json');
const pidFile = (folder: string): string => join(folder, 'tell-songs.pid');

/** Makes the fictional stations broadcasters, with new keys that replace the previous ones. */
export async function makeBroadcasters(pool: Pool, folder: string): Promise<void> {
  const broadcasters: Broadcaster[] = [];
  for (const { id, songs } of await findFictional(pool)) {
    const old = (await listStationKeys(pool, id)).filter(({ name }) => name === KEY_NAME);
    for (const { key_hash: hash } of old) await removeStationKey(pool, id, hash);
    const key = await addStationKey(pool, id, KEY_NAME);
    // An operator who has already made the maximum of ten keys needs no songs of ours.
    if (key !== undefined) broadcasters.push({ id: guideId('s', id), key, songs });
  }
  writeFileSync(broadcastersFile(folder), JSON.stringify(broadcasters), { mode: 0o600 });
}

/** Starts the song publisher. If nothing stops it, it ends by itself soon after the server. */
export function publishSongs(folder: string, settings: NodeJS.ProcessEnv): void {
  const args = [
    join(import.meta.dirname, 'publish-songs.ts'),
    broadcastersFile(folder),
    `${settings['HTTP_PORT']}`,
  ];
  const publisher = spawn(process.execPath, args, { detached: true, stdio: 'ignore' });
  publisher.unref();
  writeFileSync(pidFile(folder), `${publisher.pid}`);
}

export function stopPublishing(folder: string): void {
  if (!existsSync(pidFile(folder))) return;
  const pid = Number(readFileSync(pidFile(folder), 'utf8'));
  if (isCalled(pid, 'publish-songs.ts')) process.kill(pid, 'SIGTERM');
  rmSync(pidFile(folder), { force: true });
}
