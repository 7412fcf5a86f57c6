import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { House } from '../house/house.ts';
import { putOnAir } from '../house/icecast-on-air.ts';
import { address, ipOf, nameOf } from './hosts.ts';

interface Mount {
  path: string;
  codec: readonly string[];
  type: string;
  /** Of the titles that listeners are told; Icecast's own is ISO-8859-1. */
  charset?: 'UTF-8';
}

const MP3 = ['libmp3lame', '-b:a', '64k', '-f', 'mp3'];
const AAC = ['aac', '-b:a', '64k', '-f', 'adts'];
/** Debian has no encoder of HE-AAC: what is called AAC+ here says so in its type alone. */
export const MOUNTS: readonly Mount[] = [
  { path: '/mp3', codec: MP3, type: 'audio/mpeg', charset: 'UTF-8' },
  { path: '/latin1', codec: MP3, type: 'audio/mpeg' },
  { path: '/aac', codec: AAC, type: 'audio/aac', charset: 'UTF-8' },
  { path: '/aacp', codec: AAC, type: 'audio/aacp', charset: 'UTF-8' },
  { path: '/ogg', codec: ['libvorbis', '-b:a', '64k', '-f', 'ogg'], type: 'application/ogg' },
  { path: '/opus', codec: ['libopus', '-b:a', '48k', '-vbr', 'off', '-f', 'ogg'], type: 'application/ogg' },
  { path: '/flac', codec: ['flac', '-f', 'ogg'], type: 'application/ogg' },
];

export interface Icecast {
  password: string;
  /** Tells the listeners of a mount what is playing; an Opus mount takes no titles this way. */
  setTitle(mount: string, title: string): Promise<void>;
  /** Every mount that is on air. */
  status(): Promise<string>;
}

/** A real Icecast with a tone on each mount, and the same tone as HLS in the house's folder. It ends with the house. */
export async function startIcecast(house: House): Promise<Icecast> {
  const password = randomBytes(12).toString('hex');
  const folder = join(house.folder, 'icecast');
  mkdirSync(folder);
  mkdirSync(join(house.folder, 'hls'));
  writeFileSync(join(folder, 'icecast.xml'), settings(folder, password));
  const curl = (...args: string[]): Promise<string> => house.run('curl', ['-fsS', '-m', '5', ...args]);
  const status = (): Promise<string> => curl(address('icecast', '/status-json.xsl'));
  await putOnAir(house, {
    settings: join(folder, 'icecast.xml'),
    source: tones(house.folder, password),
    status,
    mounts: MOUNTS.map(({ path }) => `${path}"`),
  });
  return {
    password,
    status,
    async setTitle(mount, title) {
      const values = [`mount=${mount}`, 'mode=updinfo', 'charset=UTF-8', `song=${title}`];
      const data = values.flatMap((value) => ['--data-urlencode', value]);
      await curl('-u', `source:${password}`, '-G', address('icecast', '/admin/metadata'), ...data);
    },
  };
}

function tones(folder: string, password: string): string[] {
  const mounts = MOUNTS.flatMap(({ path, codec, type }) => {
    const target = `icecast://source:${password}@${nameOf('icecast')}:80${path}`;
    return ['-map', '0', '-c:a', ...codec, '-content_type', type, target];
  });
  const kept = ['-hls_time', '2', '-hls_list_size', '6', '-hls_flags', 'delete_segments+program_date_time'];
  const hls = [
    '-map',
    '0',
    '-c:a',
    'aac',
    '-b:a',
    '64k',
    '-f',
    'hls',
    ...kept,
    join(folder, 'hls/live.m3u8'),
  ];
  const tone = ['-re', '-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000'];
  return ['-nostdin', '-loglevel', 'error', ...tone, ...mounts, ...hls];
}

/** A machine that is busy with thousands of listeners may leave the source without a turn for longer than the usual ten seconds. */
const settings = (folder: string, password: string): string => `<icecast>
  <limits><clients>200</clients><sources>20</sources><source-timeout>60</source-timeout></limits>
  <authentication>
    <source-password>${password}</source-password>
    <admin-user>admin</admin-user><admin-password>${password}</admin-password>
  </authentication>
  <hostname>${nameOf('icecast')}</hostname>
  <listen-socket><port>80</port><bind-address>${ipOf('icecast')}</bind-address></listen-socket>
  <http-headers><header name="Access-Control-Allow-Origin" value="*"/></http-headers>
${MOUNTS.map(mountSettings).join('')}  <paths>
    <logdir>${folder}</logdir><webroot>/usr/share/icecast2/web</webroot>
    <adminroot>/usr/share/icecast2/admin</adminroot>
  </paths>
  <logging><accesslog>access.log</accesslog><errorlog>error.log</errorlog><loglevel>2</loglevel></logging>
</icecast>
`;

const mountSettings = ({ path, charset }: Mount): string =>
  charset ? `  <mount><mount-name>${path}</mount-name><charset>${charset}</charset></mount>\n` : '';
