import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { DIRECTORY } from '../../house/served-house.ts';
import { waitFor } from '../../time/wait-until.ts';
import type { StationName } from '../../streams/stations.ts';
import { type Listener, SITE, openHeardSite } from '../browser/open-site.ts';
import { isPlaying, player } from '../browser/player.ts';
import { installMeter, isAudible } from '../browser/sound-meter.ts';

const SECURE_PORT = 8443;
const SETTINGS = {
  RELAY: 'home',
  RELAY_KEY: 'a key of the relay, forty characters 1234',
  RELAY_SITE_ADDRESS: `https://${DIRECTORY}:${SECURE_PORT}`,
  // Chromium is there too, so that what nginx says of callers is what counts.
  TRUSTED_PROXIES: '127.0.0.1',
};
/** None of them sends by HTTPS. */
const PLAIN: Readonly<Record<string, StationName>> = {
  MP3: 'Plain Harbour',
  AAC: 'Advanced Harbour',
  'Ogg Vorbis': 'Vorbis Harbour',
};

describe('a page over HTTPS plays stations that send plain HTTP, through the relay', () => {
  let site: Awaited<ReturnType<typeof openHeardSite>>;
  let listener: Listener;
  before(async () => {
    site = await openHeardSite(SETTINGS);
    const relay = await site.farm.relay();
    await startTlsProxy();
    await waitFor(relay, 'the directory to see the relay', async () => {
      const explained = await tune('Plain Harbour', '&explain=true');
      return explained.includes('goes through the relay') || undefined;
    });
    listener = await site.listener();
    await installMeter(listener.page);
  });
  after(() => site?.[Symbol.asyncDispose]());

  const curl = (...args: string[]): Promise<string> =>
    site.farm.house.run('curl', ['-sS', '-m', '10', '--cacert', site.served.authorityFile, ...args]);
  const tune = (name: StationName, more = ''): Promise<string> =>
    curl(`https://${DIRECTORY}/Tune.ashx?id=${site.farm.idOf(name)}&device=web${more}`);

  /** nginx with the certificate of the directory, in front of the relay alone. */
  async function startTlsProxy(): Promise<void> {
    const { house, certFile } = site.farm;
    const folder = join(house.folder, 'nginx');
    const file = join(house.folder, 'nginx.conf');
    writeFileSync(
      file,
      `daemon off; user root; worker_processes 1; pid ${folder}.pid; error_log ${folder}.log;
       events { worker_connections 64; }
       http {
         access_log off;
         client_body_temp_path ${folder}-body; proxy_temp_path ${folder}-proxy; fastcgi_temp_path ${folder}-fastcgi;
         uwsgi_temp_path ${folder}-uwsgi; scgi_temp_path ${folder}-scgi;
         server {
           listen 127.0.0.1:${SECURE_PORT} ssl;
           ssl_certificate ${certFile};
           ssl_certificate_key ${certFile.replace(/\.pem$/, '.key')};
           location /r/ {
             proxy_pass http://127.0.0.1:8704;
             proxy_buffering off;
             proxy_set_header X-Forwarded-For $remote_addr;
           }
         }
       }`,
    );
    const nginx = house.start('nginx', ['-e', `${folder}.log`, '-c', file]);
    const ready = `https://${DIRECTORY}:${SECURE_PORT}/r/ready`;
    await waitFor(nginx, 'nginx', async () => (await curl(ready).catch(() => '')) === 'ready\n' || undefined);
  }

  for (const [kind, name] of Object.entries(PLAIN))
    test(kind, async () => {
      const { page } = listener;
      await page.goto(`${SITE}station/${site.farm.idOf(name)}`);
      await page
        .getByRole('article')
        .getByRole('button', { name: `Play ${name}` })
        .click();
      await isPlaying(page);
      await isAudible(page, kind);
      assert.doesNotMatch(await player(page).innerText(), /secure stream/);
    });

  test('a station that sends by HTTPS is played directly', async () => {
    const [first = ''] = (await tune('Secure Harbour')).split('\n');
    assert.match(first, /^https:\/\/secure\./);
  });

  test('whoever calls from outside the house is not sent to the relay, and not served by it', async () => {
    const [relayed = ''] = (await tune('Plain Harbour')).split('\n');
    assert.match(relayed, new RegExp(`^https://${DIRECTORY}:${SECURE_PORT}/r/`));
    const outside = ['-H', 'X-Forwarded-For: 8.8.8.8'];
    const direct = await curl(
      ...outside,
      `https://${DIRECTORY}/Tune.ashx?id=${site.farm.idOf('Plain Harbour')}&device=web`,
    );
    assert.doesNotMatch(direct, /\/r\//);
    const path = new URL(relayed).pathname;
    assert.match(await curl(...outside, '-i', `http://127.0.0.1:8704${path}`), /^HTTP\/1\.0 403 /);
  });

  test('and nothing went wrong in the page', () => assert.deepEqual(listener.complaints.all(), []));
});
