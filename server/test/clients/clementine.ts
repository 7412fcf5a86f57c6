import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { House } from './house.ts';
import type { Program } from './program.ts';
import { waitFor } from './wait-until.ts';

const SETTINGS = (server: string): string => `[RadioBrowser]
server=${server}

[GstEngine]
sink=fakesink

[MainWindow]
showtray=false
`;

/** A display of its own: a number that is free, which the X server says itself. */
async function startDisplay(house: House): Promise<string> {
  const xvfb = house.start('Xvfb', ['-displayfd', '1', '-screen', '0', '800x600x24', '-nolisten', 'tcp']);
  const number = await waitFor(xvfb, 'the display', async () => /^\d+\n/m.exec(xvfb.said())?.[0].trim());
  return `:${number}`;
}

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
