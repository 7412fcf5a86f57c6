import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startDisplay } from '../../house/display.ts';
import type { House } from '../../house/house.ts';
import type { Program } from '../../processes/program.ts';

const SETTINGS = (server: string): string => `[RadioBrowser]
server=${server}

[GstEngine]
sink=fakesink

[MainWindow]
showtray=false
`;

/** Clementine, whose radio-browser service asks the server of its settings, told to play a station by its UUID. */
export async function playInClementine(house: House, server: string, uuid: string): Promise<Program> {
  const folder = join(house.folder, '.config', 'Clementine');
  const runtime = join(house.folder, 'runtime');
  mkdirSync(folder, { recursive: true });
  mkdirSync(runtime, { mode: 0o700 });
  writeFileSync(join(folder, 'Clementine.conf'), SETTINGS(server));
  const env = { DISPLAY: await startDisplay(house), XDG_RUNTIME_DIR: runtime };
  return house.start('dbus-run-session', ['--', 'clementine', '-l', `radiobrowser:${uuid}`, '-p'], { env });
}
