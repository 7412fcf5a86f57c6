import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Pool } from 'pg';
import { importAnnounced } from '../../src/app/announced-stations.ts';
import { createLog } from '../../src/lib/log.ts';
import type { House } from '../house/house.ts';
import { putOnAir } from '../house/icecast-on-air.ts';
import { serveHouse } from '../house/served-house.ts';
import { waitFor, waitUntil } from '../time/wait-until.ts';

/** `YP_ICECAST=1 node scripts/test.ts server/test/clients/yp.test.ts`: Icecast waits a minute before it announces. */
const IS_LONG = process.env['YP_ICECAST'] === '1';
const MAIN = join(import.meta.dirname, '../../src/main.ts');

/** A machine of the internet, on which both Icecast and the directory listen: calls to it come from it. */
const MACHINE = '93.184.216.40';
const LISTEN = `http://${MACHINE}:8000/quay.mp3`;
const HOSTS = '127.0.0.1 localhost opml.radiotime.com dir.xiph.org\n';
/** Polling is off: what is known of songs, Icecast has told. */
const SERVED = { HTTP_HOST: '0.0.0.0', SONG_CONCURRENCY: '0', YP: 'on' };
const HOUSE = { files: { '/etc/hosts': HOSTS }, isInternet: true };

/** Asks VLC for its list until the stations are in it, then ends it. */
const READ = `
  asking() {
    for n in $(seq 100); do sleep 0.3; echo playlist; grep -q '| *- Harbour Folk' vlc.txt && break; done
    echo shutdown
  }
  touch vlc.txt
  asking | cvlc -I oldrc --rc-fake-tty --no-video --services-discovery 'lua{sd=icecast,longname=Icecast}' > vlc.txt 2>&1
  cat vlc.txt`;

async function vlcReads(house: House): Promise<void> {
  const said = await house.run('bash', ['-c', READ], { asNobody: true });
  for (const name of ['Harbour Folk', 'Lantern Jazz'])
    assert.match(said, new RegExp(`\\| *- ${name}`), said.slice(-3000));
}

const settings = (folder: string, password: string): string => `<icecast>
  <limits><clients>20</clients><sources>5</sources></limits>
  <authentication>
    <source-password>${password}</source-password>
    <admin-user>admin</admin-user><admin-password>${password}</admin-password>
  </authentication>
  <hostname>${MACHINE}</hostname>
  <listen-socket><port>8000</port><bind-address>${MACHINE}</bind-address></listen-socket>
  <directory><yp-url-timeout>15</yp-url-timeout><yp-url>http://${MACHINE}/cgi-bin/yp-cgi</yp-url></directory>
  <mount><mount-name>/quay.mp3</mount-name><charset>UTF-8</charset><public>1</public></mount>
  <paths>
    <logdir>${folder}</logdir><webroot>/usr/share/icecast2/web</webroot>
    <adminroot>/usr/share/icecast2/admin</adminroot>
  </paths>
  <logging><accesslog>access.log</accesslog><errorlog>error.log</errorlog><loglevel>4</loglevel></logging>
</icecast>
`;

/** Starts Icecast with one station that is called Quay Radio. */
async function startIcecast(
  house: House,
): Promise<{ setSong: (song: string) => Promise<void>; end: () => Promise<void> }> {
  const password = randomBytes(12).toString('hex');
  const folder = join(house.folder, 'icecast');
  mkdirSync(folder);
  writeFileSync(join(folder, 'icecast.xml'), settings(folder, password));
  const curl = (...args: string[]): Promise<string> => house.run('curl', ['-fsS', '-m', '5', ...args]);
  const described = [
    '-ice_name',
    'Quay Radio',
    '-ice_genre',
    'Jazz',
    '-ice_url',
    'http://quay.example.net/',
    '-ice_public',
    '1',
  ];
  const target = `icecast://source:${password}@${MACHINE}:8000/quay.mp3`;
  const tone = [
    '-re',
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=440',
    '-c:a',
    'libmp3lame',
    '-b:a',
    '128k',
    '-f',
    'mp3',
  ];
  const source = [
    '-nostdin',
    '-loglevel',
    'error',
    ...tone,
    '-content_type',
    'audio/mpeg',
    ...described,
    target,
  ];
  await putOnAir(house, {
    settings: join(folder, 'icecast.xml'),
    source,
    status: () => curl(`http://${MACHINE}:8000/status-json.xsl`),
    mounts: ['/quay.mp3'],
  });
  return {
    async setSong(song) {
      const values = ['mount=/quay.mp3', 'mode=updinfo', 'charset=UTF-8', `song=${song}`];
      const data = values.flatMap((value) => ['--data-urlencode', value]);
      await curl('-u', `source:${password}`, '-G', `http://${MACHINE}:8000/admin/metadata`, ...data);
    },
    end: async () => void (await house.run('pkill', ['-x', 'ffmpeg'])),
  };
}

/** What Icecast 2.4.4 of Debian sends, as it was recorded: an answer has nothing for it but its headers. */
const RECORDED = {
  add: 'action=add&sn=Quay%20Radio&genre=Jazz&cpswd=&desc=Unspecified%20description&url=http%3a%2f%2fquay.example.net%2f&listenurl=http%3a%2f%2f93.184.216.40%3a8000%2fquay.mp3&type=audio%2fmpeg&stype=&b=128&\r\n',
  touch: (sid: string): string =>
    `action=touch&sid=${sid}&st=The%20Duo%20-%20First%20Light&listeners=0&max_listeners=unlimited&stype=\r\n`,
  remove: (sid: string): string => `action=remove&sid=${sid}`,
};

const SONG = 'The Duo - First Light';
const ANNOUNCED = 'SELECT name, genre, caller, song, proof FROM announced_streams WHERE address = $1';
type Announced = Record<'name' | 'genre' | 'caller' | 'song' | 'proof', string | null>;

async function announcedIn(pool: Pool): Promise<Announced | undefined> {
  const { rows } = await pool.query<Announced>(ANNOUNCED, [LISTEN]);
  return rows[0];
}

if (!IS_LONG)
  test('the calls of an Icecast, replayed; VLC lists the stations', async (t) => {
    const { promise: filled, resolve: fill } = Promise.withResolvers<Pool>();
    await using served = await serveHouse(async (pool) => fill(pool), {
      house: HOUSE,
      env: SERVED,
    });
    const pool = await filled;
    await t.test('VLC lists the stations of the directory', () => vlcReads(served.house));
    const post = (body: string): Promise<string> =>
      served.house.run('curl', [
        '-fsS',
        '-i',
        '-m',
        '10',
        '-A',
        'Icecast 2.4.4',
        '--data-raw',
        body,
        `http://${MACHINE}/cgi-bin/yp-cgi`,
      ]);
    const added = await post(RECORDED.add);
    const [, sid = ''] = /^SID: (\w+)\r$/m.exec(added) ?? [];
    assert.match(added, /^YPResponse: 1\r$/m);
    assert.match(added, /^TouchFreq: 180\r$/m);
    assert.match(await post(RECORDED.touch(sid)), /^YPResponse: 1\r$/m);
    assert.deepEqual(await announcedIn(pool), {
      name: 'Quay Radio',
      genre: 'Jazz',
      caller: MACHINE,
      song: SONG,
      proof: null,
    });
    const shown = await served.house.run(process.execPath, [MAIN, 'announced'], {
      env: { DATABASE_URL: served.databaseUrl },
    });
    assert.match(shown, /^- .* 0 +93\.184\.216\.40 +Quay Radio +http:\S+quay\.mp3 +not listened to yet$/m);
    assert.match(await post(RECORDED.remove(sid)), /^YPResponse: 1\r$/m);
    assert.equal(await announcedIn(pool), undefined);
  });

if (IS_LONG)
  test('Icecast of Debian announces itself, is heard and listed, and its songs are known', async (t) => {
    const { promise: filled, resolve: fill } = Promise.withResolvers<Pool>();
    await using served = await serveHouse(async (pool) => fill(pool), {
      house: HOUSE,
      env: SERVED,
    });
    const { house, databaseUrl: DATABASE_URL } = served;
    const pool = await filled;
    const longwave = [MAIN, 'announced'];
    const worker = house.start(process.execPath, [MAIN, 'work'], {
      env: { DATABASE_URL, WORK_PORT: '0', YP: 'on' },
    });
    await waitFor(worker, 'longwave work', async () => worker.said().includes('"working"') || undefined);
    const icecast = await startIcecast(house);
    const proven = await waitUntil(
      'the announcement to be heard and proven',
      async () => {
        const row = await announcedIn(pool);
        return row?.proof === null ? undefined : row;
      },
      240_000,
    );
    assert.deepEqual(
      { ...proven, song: '' },
      { name: 'Quay Radio', genre: 'Jazz', caller: MACHINE, song: '', proof: 'host' },
    );
    const log = createLog({ level: 'silent' });
    await importAnnounced({ pool, log, absence: { withdrawAfterDays: 30 } });
    const shown = await house.run(process.execPath, longwave, { env: { DATABASE_URL, YP: 'on' } });
    t.diagnostic(shown);
    const [, id = ''] = /^(s\d+) .*Quay Radio/m.exec(shown) ?? [];
    await icecast.setSong(SONG);
    await waitUntil(
      'a radio is told the song that Icecast told',
      async () =>
        (await served.get(`/Describe.ashx?c=nowplaying&id=${id}`)).includes('First Light') || undefined,
      300_000,
    );
    assert.match(await served.get('/yp.xml'), /<server_name>Quay Radio</);
    await icecast.end();
    await waitUntil(
      'the announcement to be taken back',
      async () => (await announcedIn(pool)) === undefined || undefined,
      120_000,
    );
  });
