import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startDisplay } from '../../house/display.ts';
import type { House } from '../../house/house.ts';
import { waitFor } from '../../time/wait-until.ts';

interface Labelled {
  label: string;
}

export interface Channel extends Labelled {
  channelid: number;
}

/** What its methods answer, each a part of it. */
interface KodiResult {
  channels?: Channel[];
  channelgroups?: Labelled[];
  broadcasts?: Labelled[];
  time?: { hours: number; minutes: number; seconds: number };
  speed?: number;
  files?: (Labelled & { file: string; filetype: 'directory' | 'file' })[];
}

/** A call of Kodi's JSON-RPC, and its result. */
export type KodiCall = (method: string, params?: object) => Promise<KodiResult>;

const CALL = join(import.meta.dirname, 'kodi-call.ts');
const SETTINGS = (list: string): string => {
  const values = {
    kodi_addon_instance_name: 'Longwave',
    kodi_addon_instance_enabled: true,
    m3uPathType: 1,
    m3uUrl: list,
    m3uCache: false,
    epgPathType: 1,
    epgCache: false,
    logoPathType: 0,
  };
  const lines = Object.entries(values).map(([id, value]) => `<setting id="${id}">${String(value)}</setting>`);
  return `<settings version="2">${lines.join('')}</settings>`;
};
/** Nothing that calls home, and no sound card. */
const GUI = `<settings version="2">
<setting id="general.addonupdates">2</setting>
<setting id="services.esenabled">true</setting>
<setting id="services.zeroconf">false</setting>
<setting id="audiooutput.audiodevice">NULL</setting>
</settings>`;

/** Its own client of media servers, which asks all it finds. */
const UPNP = '<setting id="services.upnp">true</setting>';

/** Kodi with its client for M3U lists, told of one list; the guide it finds by the list itself. */
export async function startKodi(house: House, list: string): Promise<KodiCall> {
  const addon = join(userdataOf(house), 'addon_data', 'pvr.iptvsimple');
  mkdirSync(addon, { recursive: true });
  for (const file of ['settings.xml', 'instance-settings-1.xml'])
    writeFileSync(join(addon, file), SETTINGS(list));
  const call = await start(house, GUI);
  await call('Addons.SetAddonEnabled', { addonid: 'pvr.iptvsimple', enabled: true });
  return call;
}

/** Kodi as one who looks for media servers. */
export const startKodiWithUpnp = (house: House): Promise<KodiCall> =>
  start(house, GUI.replace('</settings>', `${UPNP}</settings>`));

const userdataOf = (house: House): string => join(house.folder, '.kodi', 'userdata');

async function start(house: House, settings: string): Promise<KodiCall> {
  const userdata = userdataOf(house);
  const runtime = join(house.folder, 'kodi-runtime');
  mkdirSync(userdata, { recursive: true });
  mkdirSync(runtime, { mode: 0o700 });
  writeFileSync(join(userdata, 'guisettings.xml'), settings);
  const env = { DISPLAY: await startDisplay(house), XDG_RUNTIME_DIR: runtime, LIBGL_ALWAYS_SOFTWARE: '1' };
  const kodi = house.start('dbus-run-session', ['--', 'kodi', '--standalone', '--audio-backend=null'], {
    env,
  });
  const call: KodiCall = async (method, params = {}) =>
    JSON.parse(await house.run(process.execPath, [CALL, method, JSON.stringify(params)]));
  await waitFor(kodi, 'Kodi', () => call('JSONRPC.Ping'));
  return call;
}
