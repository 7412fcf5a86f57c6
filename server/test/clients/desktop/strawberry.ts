import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startDisplay } from '../../house/display.ts';
import type { House } from '../../house/house.ts';
import type { Program } from '../../processes/program.ts';

interface SubsonicLogin {
  server: string;
  username: string;
  password: string;
}

const settings = ({ server, username, password }: SubsonicLogin): string => `[Subsonic]
enabled=true
url=${server}
username=${username}
password=@ByteArray(${Buffer.from(password).toString('base64')})
authmethod=1
http2=false
verifycertificate=false

[GstEngine]
sink=fakesink

[Backend]
output=fakesink

[MainWindow]
showtray=false
`;

/** Strawberry, which proves its password by a token, told to play a song of its Subsonic server. */
export async function playInStrawberry(house: House, login: SubsonicLogin, id: string): Promise<Program> {
  const folder = join(house.folder, '.config', 'strawberry');
  const runtime = join(house.folder, 'runtime');
  mkdirSync(folder, { recursive: true });
  mkdirSync(runtime, { mode: 0o700, recursive: true });
  writeFileSync(join(folder, 'strawberry.conf'), settings(login));
  const env = { DISPLAY: await startDisplay(house), XDG_RUNTIME_DIR: runtime };
  return house.start('dbus-run-session', ['--', 'strawberry', '-l', `subsonic:${id}`, '-p'], { env });
}
