import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { writeMenuCalls } from '../load/menu-calls.ts';
import type { Kind } from './listeners.ts';
import { ACCOUNTS, PARTNER, serialOf } from './world.ts';

const MIN_STATIONS = 400;
const MANY = 2000;
/** More than a process keeps answers to, so that each search is one that nobody made before. */
const SEARCHES = 20_000;
const ASKED = `formats=mp3,aac&partnerId=${PARTNER}`;

const word = ({ name }: { name: string }): string => encodeURIComponent(name.split(' ', 2).join(' '));

/** For each kind of call a wrk script, and an address of it whose answer is looked at. */
export type Calls = Readonly<Record<Kind, { script: string; example: string }>>;

/** Calls as radios make them: every device with its serial, of an address of its own. */
export async function writeCalls(databaseUrl: string, pool: Pool, folder: string): Promise<Calls> {
  const device = `${ASKED}&serial=${serialOf(0)}`;
  const { page, pages, places } = await writeMenuCalls({
    databaseUrl,
    folder,
    leastStations: MIN_STATIONS,
    device,
    near: device,
  });
  const { rows } = await pool.query<{ id: string; name: string }>(
    'SELECT id::text, name FROM stations WHERE listed ORDER BY popularity DESC LIMIT $1',
    [SEARCHES],
  );
  const popular = rows.slice(0, MANY);
  const [first] = rows;
  if (!first) throw new Error('the directory is empty');
  const of = (name: string, paths: readonly string[]): { script: string; example: string } => ({
    script: script(folder, name, paths),
    example: paths[0] ?? '',
  });
  const ofStations = (path: string): string[] => popular.map(({ id }) => `${path}id=s${id}&${device}`);
  const devices = Array.from({ length: MANY }, (_, account) => `${ASKED}&serial=${serialOf(account)}`);
  return {
    menu: { script: pages, example: `${page}&${device}` },
    near: { script: places, example: `/Browse.ashx?c=local&${device}&latlon=52.52,13.4` },
    search: of(
      'search',
      [...new Set(rows.map(word))].map((query) => `/Search.ashx?query=${query}&${device}`),
    ),
    tune: of('tune', ofStations('/Tune.ashx?')),
    describe: of('describe', ofStations('/Describe.ashx?')),
    'now playing': of('playing', ofStations('/Describe.ashx?c=nowplaying&')),
    presets: of(
      'presets',
      devices.map((who) => `/Browse.ashx?c=presets&${who}`),
    ),
    save: {
      script: savingScript(
        folder,
        popular.map(({ id }) => id),
      ),
      example: `/Preset.ashx?c=listFolders&${device}`,
    },
  };
}

function script(folder: string, name: string, paths: readonly string[]): string {
  const file = join(folder, `${name}.lua`);
  const list = paths.map((path) => JSON.stringify(path)).join(',\n');
  writeFileSync(
    file,
    `local all = {${list}}\nlocal n = 0\nrequest = function()\n  n = n % #all + 1\n  return wrk.format("GET", all[n])\nend\n`,
  );
  return file;
}

/** Each account in turn saves the next station, so that every call saves something. */
function savingScript(folder: string, stations: readonly string[]): string {
  const file = join(folder, 'save.lua');
  writeFileSync(
    file,
    `local stations = {${stations.join(',')}}
local k = math.floor(os.time()) % ${MANY} * ${ACCOUNTS}
request = function()
  k = k + 1
  local station = stations[math.floor(k / ${ACCOUNTS}) % #stations + 1]
  return wrk.format("GET", "/Preset.ashx?c=add&${ASKED}&serial=device" .. k % ${ACCOUNTS} .. "&id=s" .. station)
end
`,
  );
  return file;
}
