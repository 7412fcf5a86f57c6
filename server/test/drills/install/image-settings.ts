import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Containers } from '../../../../scripts/package/image/containers.ts';
import { closedPort } from '../../servers/port-of.ts';

/** The user of the image. */
export const UID = 10_001;
/** As compose.yaml runs it, and without what a machine inside a machine may lack: a bridge, timers, higher limits. */
export const CONFINED = [
  '--read-only',
  '--read-only-tmpfs=false',
  '--tmpfs=/tmp',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
  '--memory=300m',
  '--network=host',
  '--no-healthcheck',
  '--ulimit=nofile=1024:1024',
  '--ulimit=nproc=4096:4096',
];
export const MEMBER_KEY = 'member-key-in-a-file-of-a-container-1';
export const SECRETS = '/run/longwave';

export interface ImageSettings {
  /** Of `podman run`: variables, and the folder with the secrets. */
  options: string[];
  /** Where `serve` answers. */
  origin: string;
}

/** What a container of the image is told: its secrets as files, and ports that nobody has. */
export async function imageSettings(containers: Containers, databaseUrl: string): Promise<ImageSettings> {
  const folder = containers.folder('secrets');
  chmodSync(folder, 0o755);
  const secrets = { 'database-url': databaseUrl, 'member-key': MEMBER_KEY };
  for (const [name, value] of Object.entries(secrets)) {
    writeFileSync(join(folder, name), `${value}\n`, { mode: 0o600 });
    chownSync(join(folder, name), UID, UID);
  }
  const port = await closedPort();
  const variables = {
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: port,
    PRIVATE_PORT: await closedPort(),
    WORK_PORT: await closedPort(),
    DATABASE_URL_FILE: `${SECRETS}/database-url`,
    MEMBER_KEY_FILE: `${SECRETS}/member-key`,
    REDIS_URL: process.env['REDIS_URL'] ?? '',
    PROBE_CONCURRENCY: 0,
    LOGO_CONCURRENCY: 0,
  };
  return {
    options: [
      '--volume',
      `${folder}:${SECRETS}:ro`,
      ...Object.entries(variables).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
    ],
    origin: `http://127.0.0.1:${port}`,
  };
}
