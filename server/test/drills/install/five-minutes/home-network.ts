import { execFileSync } from 'node:child_process';
import { createReadStream, createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { readJsonItems } from '../../../../src/formats/json-lines/read.ts';
import { type House, openHouse } from '../../../house/house.ts';
import { waitFor } from '../../../time/wait-until.ts';

/** The machine that the README makes a directory of, the radio, and the router with its line to the internet. */
export const MACHINE = '192.168.7.20';
export const ROUTER = '192.168.7.1';
const RADIO = '192.168.7.77';

/** Of the far network, where every name leads: what is fetched from the internet is fetched from there. */
const FAR = '45.45.45.45';
export const STATION = 'Five Minute Radio';
/** The setting by which an operator who does not reach radio-browser.info names a copy of its list. */
export const STATION_SOURCES =
  'STATION_SOURCES=radio-browser=http://stations.five-minute-radio.org/stations.jsonl.gz';

/** A radio's network: the radio asks the machine about names, as its owner has told it, and nothing leads out. */
export interface HomeNetwork extends AsyncDisposable {
  house: House;
  /** Connects the machine in whose network this process is: it has an address, and the router as its way out. */
  connect(pid: number): Promise<void>;
}

export async function openHomeNetwork(): Promise<HomeNetwork> {
  const files = { '/etc/hosts': '127.0.0.1 localhost\n', '/etc/resolv.conf': `nameserver ${MACHINE}\n` };
  await using opened = new AsyncDisposableStack();
  const house = opened.use(await openHouse({ files }));
  const folder = join(house.folder, 'far');
  mkdirSync(folder);
  await writeStations(join(folder, 'stations.jsonl.gz'));
  const tone = [
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=440:duration=30',
    '-b:a',
    '128k',
    join(folder, 'tone.mp3'),
  ];
  await house.run('ffmpeg', ['-nostdin', '-loglevel', 'error', ...tone]);
  const kept = opened.move();
  return {
    house,
    async connect(pid) {
      const cable = [
        'lan',
        'netns',
        `${house.pid}`,
        'type',
        'veth',
        'peer',
        'name',
        'lan',
        'netns',
        `${pid}`,
      ];
      execFileSync('ip', ['link', 'add', ...cable], { stdio: 'pipe' });
      execFileSync('nsenter', ['--target', `${pid}`, '--net', 'sh', '-ec', OF_MACHINE], { stdio: 'pipe' });
      await house.run('sh', ['-ec', OF_HOUSE]);
      const script = join(import.meta.dirname, 'far-network.ts');
      const far = house.start(process.execPath, [script, ROUTER, FAR, folder]);
      await waitFor(far, 'the far network', async () => far.said().includes('serving') || undefined);
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

const OF_MACHINE = `
  ip link set lo up
  ip address add ${MACHINE}/24 dev lan
  ip link set lan up
  ip route add default via ${ROUTER}`;
/** Whatever is not at home is the far network, which is in the house too. */
const OF_HOUSE = `
  ip address add ${RADIO}/24 dev lan
  ip address add ${ROUTER}/24 dev lan
  ip link set lan up
  ip route add local 0.0.0.0/0 dev lo table main`;

const writeStations = (file: string): Promise<void> =>
  pipeline(readRecords, createGzip({ level: 1 }), createWriteStream(file));

/** With `FIVE_MINUTES_STATIONS`, a list of radio-browser.info in any form that is imported, all of its stations are there too. */
async function* readRecords(): AsyncGenerator<string> {
  yield `${JSON.stringify(OWN_RECORD)}\n`;
  const list = process.env['FIVE_MINUTES_STATIONS'];
  if (list === undefined) return;
  for await (const item of readJsonItems(createReadStream(list)))
    if ('value' in item) yield `${JSON.stringify(item.value)}\n`;
}

const OWN_RECORD = {
  changeuuid: '0d5f7c1e-0000-4000-8000-000000000001',
  stationuuid: '0d5f7c1e-0000-4000-8000-000000000002',
  name: STATION,
  url: 'http://stream.five-minute-radio.org/five.mp3',
  url_resolved: 'http://stream.five-minute-radio.org/five.mp3',
  homepage: 'http://stream.five-minute-radio.org/',
  favicon: '',
  tags: 'folk',
  country: 'Ireland',
  countrycode: 'IE',
  state: 'Cork',
  language: 'english',
  languagecodes: 'en',
  // The doctor listens to the most popular station.
  votes: 1_000_000,
  codec: 'MP3',
  bitrate: 128,
  hls: 0,
  lastcheckok: 1,
  clickcount: 5,
  clicktrend: 0,
  ssl_error: 0,
  geo_lat: 51.9,
  geo_long: -8.47,
};
