import type { DiaryCall } from './recent-calls.ts';

/** Why a radio does not play, as far as its calls tell, and what to do about it. */
export interface Trouble {
  text: string;
  mend: string;
}

/** Paths of directories that other devices were made for, and what is kept of them. */
const OTHER_DIRECTORIES: readonly [path: RegExp, label: string, protocol: string][] = [
  [/^\/+setupapp\//i, '/setupapp/…', 'vTuner'],
  [/^\/+radionative/i, '/RadioNative…', 'Noxon'],
  [/^\/+frontiersmart\b/i, '/frontiersmart/…', 'airable'],
];
const SOME_PAGE = '/…';

/** What is kept of a path that nobody has here: people and programs put anything there, passwords too. */
export const strayLabel = (path: string): string =>
  OTHER_DIRECTORIES.find(([begins]) => begins.test(path))?.[1] ?? SOME_PAGE;

interface Caller {
  partnerId: string;
  profile: string;
}

/** Undefined while nothing is wrong: it plays what it last asked for, or has not asked for a stream. */
export function findTrouble(calls: readonly DiaryCall[], caller: Caller): Trouble | undefined {
  // What was refused since a stream was given matters more than what was refused before.
  const given = calls.findIndex(
    ({ what, code, status }) => isTune(what) && code === undefined && status < 400,
  );
  const since = given === -1 ? calls : calls.slice(0, given);
  const failed = since.find(
    ({ what, code, status }) => isTune(what) && (code !== undefined || status >= 400),
  );
  const refused = failed ?? since.find(({ status, code }) => status >= 400 || code !== undefined);
  return refused && (given === -1 || failed) ? troubleOf(refused, caller) : undefined;
}

const isTune = (what: string): boolean => /^(?:Tune|StationPlaylist)\b/i.test(what);

function troubleOf({ what, status, code = '', answer }: DiaryCall, { partnerId, profile }: Caller): Trouble {
  const [, , other] = OTHER_DIRECTORIES.find(([, label]) => label === what) ?? [];
  if (other !== undefined)
    return {
      text: `it speaks ${other}, which this directory does not`,
      mend: `${other === 'vTuner' ? 'set VTUNER=on, or ' : ''}remove the override of its name, so that it finds its own directory (docs/dns.md)`,
    };
  const said = answer ?? `status ${status}`;
  if (code.startsWith('partner'))
    return {
      text: `its partner id ${partnerId} is refused: ${said}`,
      mend: `longwave partner add ${shellQuoted(partnerId)} --name 'My radio', or PARTNERS=any at home`,
    };
  const [station] = /\bs\d+$/.exec(what) ?? [];
  if (code === 'tune.notCompatible' || code === 'tune.nothing')
    return {
      text: `${station ?? what}: ${said}`,
      mend: station === undefined ? 'try another station' : `longwave why ${station} --device ${profile}`,
    };
  if (status === 429) return { text: 'it calls too often', mend: 'raise CALLS_PER_ADDRESS' };
  if (status >= 500) return { text: `${what}: ${said}`, mend: 'longwave doctor' };
  if (what === SOME_PAGE)
    return { text: 'it asks for pages that are not here', mend: 'see docs/devices.md for what is spoken' };
  return { text: `${what}: ${said}`, mend: 'see docs/protocol.md for what the call needs' };
}

/** For a shell: ids are of any signs. */
const shellQuoted = (id: string): string =>
  /^[\w.-]+$/.test(id) ? id : `'${id.replaceAll("'", String.raw`'\''`)}'`;
