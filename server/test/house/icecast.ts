import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { House } from './house.ts';
import { putOnAir } from './icecast-on-air.ts';

const ADDRESS = '127.0.0.2';
const HOST = 'stream.example.net';

/** The streams of the seeded directory that are on air; its other ones answer 404. */
export const ON_AIR = [
  { mount: '/harbourfolk-128.mp3', codec: ['libmp3lame', '-b:a', '128k', '-f', 'mp3'], type: 'audio/mpeg' },
  { mount: '/lanternjazz-64.aacp', codec: ['aac', '-b:a', '64k', '-f', 'adts'], type: 'audio/aacp' },
] as const;

export interface Icecast {
  /** Tells the listeners of a mount what is playing. */
  setTitle(mount: string, title: string): Promise<void>;
}

/** A real Icecast on port 80 of the streams' host, with a tone on each mount. It ends with the house. */
export async function startIcecast(house: House): Promise<Icecast> {
  const password = randomBytes(12).toString('hex');
  const folder = join(house.folder, 'icecast');
  mkdirSync(folder);
  writeFileSync(join(folder, 'icecast.xml'), settings(folder, password));
  const curl = (...args: string[]): Promise<string> => house.run('curl', ['-fsS', '-m', '5', ...args]);
  await putOnAir(house, {
    settings: join(folder, 'icecast.xml'),
    source: tones(password),
    status: () => curl(`http://${HOST}/status-json.xsl`),
    mounts: ON_AIR.map(({ mount }) => mount),
  });
  return {
    async setTitle(mount, title) {
      const values = [`mount=${mount}`, 'mode=updinfo', 'charset=UTF-8', `song=${title}`];
      const data = values.flatMap((value) => ['--data-urlencode', value]);
      await curl('-u', `source:${password}`, '-G', `http://${HOST}/admin/metadata`, ...data);
    },
  };
}

function tones(password: string): string[] {
  const mounts = ON_AIR.flatMap(({ mount, codec, type }) => {
    const target = `icecast://source:${password}@${HOST}:80${mount}`;
    return ['-map', '0', '-c:a', ...codec, '-content_type', type, target];
  });
  return ['-nostdin', '-loglevel', 'error', '-re', '-f', 'lavfi', '-i', 'sine=frequency=440', ...mounts];
}

const settings = (folder: string, password: string): string => `<icecast>
  <limits><clients>50</clients><sources>5</sources></limits>
  <authentication>
    <source-password>${password}</source-password>
    <admin-user>admin</admin-user><admin-password>${password}</admin-password>
  </authentication>
  <hostname>${HOST}</hostname>
  <listen-socket><port>80</port><bind-address>${ADDRESS}</bind-address></listen-socket>
  <mount type="default"><charset>UTF-8</charset></mount>
  <paths>
    <logdir>${folder}</logdir><webroot>/usr/share/icecast2/web</webroot>
    <adminroot>/usr/share/icecast2/admin</adminroot>
  </paths>
  <logging><accesslog>access.log</accesslog><errorlog>error.log</errorlog><loglevel>2</loglevel></logging>
</icecast>
`;
