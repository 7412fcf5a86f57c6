import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { type YpApp, ypApp } from '../../../test/apps/yp-app.ts';

let app: YpApp;
before(async () => {
  app = await ypApp('read');
});
after(() => app?.[Symbol.asyncDispose]());

const namesIn = (body: string): string[] =>
  [...body.matchAll(/<server_name>([^<]*)</g)].map(([, name = '']) => name);

test('yp.xml: the stations, the most popular first, each with its address here', async () => {
  const { status, body } = await app.get('/yp.xml');
  assert.equal(status, 200);
  const [line = ''] = body.split('\n').filter((each) => each.includes('/play/s1.mp3'));
  assert.equal(
    line,
    '<entry><server_name>Harbour Folk</server_name><listen_url>http://radio.test/play/s1.mp3</listen_url><server_type>audio/mpeg</server_type><bitrate>128</bitrate><channels>0</channels><samplerate>0</samplerate><genre>Celtic &amp; Irish</genre><current_song></current_song></entry>',
  );
  const { stations } = app.seeded.directory.current();
  assert.equal(namesIn(body).length, stations.length);
  const { status: exit, stderr } = spawnSync('xmllint', ['--noout', '-'], { input: body });
  assert.equal(exit, 0, String(stderr));
});

test('its pages are together what it is as a whole, without gaps and doubles', async () => {
  const { body } = await app.get('/yp.xml');
  const names: string[] = [];
  let path = '/yp.xml?limit=7';
  for (;;) {
    const page = await app.get(path);
    names.push(...namesIn(page.body));
    const [, next] = /^<http:\/\/radio\.test([^>]*)>; rel="next"$/.exec(page.link) ?? [];
    if (next === undefined) break;
    path = next;
  }
  assert.deepEqual(names, namesIn(body));
  assert.equal((await app.get('/yp.xml?limit=x')).status, 400);
  assert.deepEqual(namesIn((await app.get('/yp.xml?offset=99999')).body), []);
});

test('YP=read takes no announcements, YP=off gives nothing', async () => {
  const { isOk, status } = await app.call({
    action: 'add',
    sn: 'X',
    listenurl: 'http://radio.example.net/x',
  });
  assert.deepEqual([isOk, status], [false, 404]);
  await using off = await ypApp('off');
  assert.equal((await off.get('/yp.xml')).status, 404);
});
