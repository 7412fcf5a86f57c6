import assert from 'node:assert/strict';
import { ownUuid } from '../../src/protocols/radio-browser/station-record.ts';
import { AirableRadio } from '../devices/airable.ts';
import { ControlPoint, MPD_LIKE } from '../devices/control-point.ts';
import { reachableStations } from '../devices/radio-model.ts';
import { sendBytes } from '../devices/send-bytes.ts';
import { SoundTouch } from '../devices/soundtouch.ts';
import { VTUNER_MODELS } from '../devices/vtuner-models.ts';
import { linkOf, VtunerRadio } from '../devices/vtuner-radio.ts';
import type { ServiceProcess } from '../processes/service-process.ts';

/** A protocol as a client of it sees the directory. Stations are named by the numbers of their guide IDs. */
export interface Reader {
  name: string;
  /** Every station that it leads to by browsing. */
  browse: () => Promise<Set<number>>;
  /** What it calls a station; undefined where there is none. */
  show?: (number: number) => Promise<string | undefined>;
  /** Where its client is sent to hear a station, and where Tune sends the same client; undefined where it plays nothing of it. */
  play?: (number: number) => Promise<string | undefined>;
  tune?: (number: number) => Promise<string | undefined>;
}

/** Every protocol that lists stations, over a running service and a media server beside it. */
export const readers = (
  service: Pick<ServiceProcess, 'origin' | 'httpsPort'>,
  mediaServer: string,
): Reader[] => [
  radiotime(service.origin),
  m3u(service.origin),
  radioBrowser(service.origin),
  yp(service.origin),
  vtuner(service.origin),
  soundTouch(service.origin),
  upnp(mediaServer, service.origin),
  airable(service.origin, service.httpsPort ?? assert.fail('the service has no HTTPS')),
];

const VLC = { 'user-agent': 'VLC/3.0.18 LibVLC/3.0.18' };

/** The first line of Tune; undefined where it is the announcement that nothing can be played. */
export async function tuned(
  origin: string,
  number: number,
  asked: { formats?: string; device?: string; headers?: Record<string, string> },
): Promise<string | undefined> {
  const { headers = {}, ...more } = asked;
  const url = `${origin}/Tune.ashx?${new URLSearchParams({ id: `s${number}`, ...more }).toString()}`;
  const [first = ''] = (await textOf(url, headers)).split('\n', 1);
  return first.includes('/service/Audio/') ? undefined : first;
}

async function textOf(url: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(url, { headers });
  const text = await response.text();
  assert.equal(response.status, 200, `${url}: ${text.slice(0, 200)}`);
  return text;
}

interface Outline {
  type?: string;
  text: string;
  URL?: string;
  guide_id?: string;
  children?: Outline[];
}

/** By every link of the menus of places, once. */
function radiotime(origin: string): Reader {
  const browse = async (): Promise<Set<number>> => {
    const found = new Set<number>();
    const [asked, left] = [new Set<string>(), [`${origin}/Browse.ashx?id=r0&render=json`]];
    for (let url = left.pop(); url !== undefined; url = left.pop()) {
      if (asked.has(url)) continue;
      asked.add(url);
      const menu: { body?: Outline[] } = JSON.parse(await textOf(url));
      const lines = (menu.body ?? []).flatMap((line) => [line, ...(line.children ?? [])]);
      for (const { type, URL: link = '', guide_id: id = '' } of lines)
        if (type === 'audio' && id.startsWith('s')) found.add(Number(id.slice(1)));
        else if (type === 'link' && /browse/i.test(link))
          left.push(link.includes('render=json') ? link : `${link}&render=json`);
    }
    return found;
  };
  return {
    name: 'RadioTime',
    browse,
    async show(number) {
      const { body }: { body: { name?: string }[] } = JSON.parse(
        await textOf(`${origin}/Describe.ashx?id=s${number}&render=json`),
      );
      return body[0]?.name;
    },
  };
}

const CHANNEL = /tvg-id="s(\d+)".*,(.*)\n(\S+)/g;

/** By the lists of all countries. */
function m3u(origin: string): Reader {
  const channels = async (list: string): Promise<RegExpMatchArray[]> => [
    ...(await textOf(`${origin}/lists/${list}.m3u?limit=1000`)).matchAll(CHANNEL),
  ];
  const find = async (number: number): Promise<RegExpMatchArray | undefined> =>
    (await channels(`s${number}`))[0];
  return {
    name: 'M3U',
    async browse() {
      const all = await Promise.all(['ie', 'de', 'us', 'jp', 'br'].map(channels));
      return new Set(all.flat().map(([, number]) => Number(number)));
    },
    show: async (number) => (await find(number))?.[2],
    play: async (number) => sentTo((await find(number))?.[3] ?? ''),
    tune: (number) => tuned(origin, number, { headers: VLC }),
  };
}

/** Where VLC is sent from an address that stays. */
async function sentTo(address: string): Promise<string | undefined> {
  const response = await fetch(address, { headers: VLC, redirect: 'manual' });
  await response.text();
  return response.headers.get('location') ?? undefined;
}

const ENTRY = /<server_name>(.*?)<\/server_name><listen_url>(.*?\/s(\d+)\.mp3)<\/listen_url>/g;

/** Icecast's list of all; a station cannot be asked for alone, but the address of one that was merged still plays. */
function yp(origin: string): Reader {
  const entries = async (): Promise<RegExpMatchArray[]> => [
    ...(await textOf(`${origin}/yp.xml?limit=1000`)).matchAll(ENTRY),
  ];
  const addresses = new Map<number, string>();
  return {
    name: 'yp.xml',
    async browse() {
      for (const [, , address = '', number] of await entries()) addresses.set(Number(number), address);
      return new Set(addresses.keys());
    },
    play: (number) => sentTo(addresses.get(number) ?? ''),
    tune: (number) => tuned(origin, number, { headers: VLC }),
  };
}

/** Its stations have one address, whatever asks for it. */
function radioBrowser(origin: string): Reader {
  const list = async (path: string): Promise<{ stationuuid: string; name: string }[]> =>
    JSON.parse(await textOf(`${origin}/json/stations${path}`));
  return {
    name: 'radio-browser',
    async browse() {
      const byUuid = new Map(Array.from({ length: 1000 }, (_none, index) => [ownUuid(index), index]));
      const all = await list('?limit=1000');
      return new Set(all.map(({ stationuuid: uuid }) => byUuid.get(uuid) ?? Number.NaN));
    },
    show: async (number) => (await list(`/byuuid/${ownUuid(number)}`))[0]?.name,
  };
}

/** A Grundig, which asks for stations by their ids. */
function vtuner(origin: string): Reader {
  const traits = VTUNER_MODELS.find(({ name }) => name === 'grundig') ?? assert.fail();
  const radio = new VtunerRadio(traits, sendBytes(Number(new URL(origin).port)));
  return {
    name: 'vTuner',
    async browse() {
      const found = await reachableStations(radio, linkOf);
      return new Set([...found].map((id) => Number(id.replace('LW', ''))));
    },
    play: (number) => radio.playId(`LW${number}`).catch(ifRefused),
    tune: (number) => tuned(origin, number, { device: 'old-radio' }),
  };
}

/** A station in no format that the device plays is refused in the protocol's own way. */
function ifRefused(error: unknown): undefined {
  assert.match(String(error), /406|no stream that a SoundTouch plays/);
}

function soundTouch(origin: string): Reader {
  const speaker = new SoundTouch(origin);
  return {
    name: 'SoundTouch',
    async browse() {
      const found = new Set<number>();
      await speaker.boot();
      await speaker.walk((id) => void found.add(Number(id.slice(1))));
      return found;
    },
    play: (number) => speaker.play(`s${number}`).catch(ifRefused),
    tune: (number) => tuned(origin, number, { device: 'soundtouch' }),
  };
}

/** As MPD asks; its player is sent on from an address that stays. */
function upnp(mediaServer: string, origin: string): Reader {
  const textAt = async (path: string): Promise<string> => textOf(mediaServer + path);
  const point = new ControlPoint(MPD_LIKE, textAt, async (path, headers, body) => {
    const response = await fetch(mediaServer + path, { method: 'POST', headers, body });
    return { status: response.status, text: await response.text() };
  });
  const walk = async (folder: string, found: Set<number>, opened: Set<string>): Promise<void> => {
    for (const { id, isFolder } of await point.open(folder)) {
      if (!isFolder) found.add(Number(/s(\d+)$/.exec(id)?.[1]));
      if (!isFolder || opened.has(id)) continue;
      opened.add(id);
      await walk(id, found, opened);
    }
  };
  return {
    name: 'UPnP',
    async browse() {
      const found = new Set<number>();
      await point.boot();
      await walk('0', found, new Set());
      return found;
    },
    show: async (number) => (await point.metadata(`s${number}`)).title,
    play: async (number) => sentTo((await point.metadata(`s${number}`)).address ?? ''),
    tune: (number) => tuned(origin, number, { headers: VLC }),
  };
}

/** As the radio stores them. */
const airableId = (number: number): string => `9${String(number).padStart(15, '0')}`;

function airable(origin: string, httpsPort: number): Reader {
  const radio = new AirableRadio(httpsPort);
  const walk = async (
    lines: Awaited<ReturnType<AirableRadio['boot']>>,
    found: Set<number>,
  ): Promise<void> => {
    for (const line of lines)
      if (line.id[1] === 'radio') found.add(Number(line.id[2]?.slice(1)));
      else if (line.id[2] !== 'search') await walk(await radio.openAll(line), found);
  };
  return {
    name: 'airable',
    async browse() {
      const found = new Set<number>();
      await walk(await radio.boot(), found);
      return found;
    },
    show: async (number) => (await radio.show(airableId(number))).title,
    play: (number) => radio.play(airableId(number)),
    tune: (number) =>
      tuned(origin, number, { formats: 'mp3,aac', headers: { 'user-agent': 'ir-cui-FS2340' } }),
  };
}
