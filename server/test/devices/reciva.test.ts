import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { RelayLinks } from '../../src/core/streams/relay/relay-links.ts';
import { StationStreams } from '../../src/core/streams/station-streams.ts';
import { FRAME_BYTES, framesFrom } from '../relay/numbered-frames.ts';
import { OK, openTestRelay, relayKeys, type Studio, type TestRelay } from '../relay/test-relay.ts';
import { type UpnpApp, upnpApp } from '../apps/upnp-app.ts';
import { ControlPoint, type SeenObject } from './control-point.ts';
import { playFile, RECIVA_LIKE } from './reciva.ts';

let relay: TestRelay;
let studio: Studio;
let app: UpnpApp;
let radio: ControlPoint;

before(async () => {
  // Whatever is asked for: the directory is about menus, and the sound is that of one studio.
  relay = await openTestRelay({
    findStream: async (id) => ({
      id,
      address: `http://127.0.0.1:${studio.port}/live`,
      format: 'mp3',
      bitrate: 64,
      verdict: null,
      station_id: id,
      relay: null,
      station_name: 'Radio Zürich, a name too long for its display',
    }),
  });
  studio = await relay.studio((socket) => {
    socket.write(OK);
    let number = 0;
    const timer = setInterval(() => {
      socket.write(framesFrom(number, 20));
      number += 20;
    }, 20);
    socket.once('close', () => clearInterval(timer));
  });
  const links = new RelayLinks({
    keys: relayKeys,
    relays: [{ origin: `http://127.0.0.1:${relay.port}`, secureOrigin: undefined, isReady: () => true }],
    port: relay.port,
    converts: true,
    isHome: () => true,
  });
  app = await upnpApp(new StationStreams(undefined, links));
  radio = new ControlPoint(
    RECIVA_LIKE,
    async (path) => (await app.ask('GET', path)).body,
    async (path, headers, body) => {
      const { statusCode, body: text } = await app.ask('POST', path, headers, body);
      return { status: statusCode, text };
    },
  );
});
after(async () => {
  await app?.[Symbol.asyncDispose]();
  await relay?.[Symbol.asyncDispose]();
});

async function firstItemBelow(id: string, depth: number): Promise<SeenObject> {
  const objects = await radio.open(id);
  const item = objects.find(({ isFolder }) => !isFolder);
  if (item) return item;
  for (const { id: folder } of depth > 0 ? objects : [])
    try {
      return await firstItemBelow(folder, depth - 1);
    } catch {
      continue;
    }
  return assert.fail(`no item below ${id}`);
}

test('a Reciva boots, browses to a station, searches, and every address is a file', async () => {
  await radio.boot();
  const item = await firstItemBelow('0', 3);
  const found = await radio.search('folk');
  assert.ok(found.length > 0);
  for (const { address, protocolInfo, title } of [item, ...found]) {
    assert.match(address ?? '', /\/r\/f\/[\w.-]+\.mp3$/, title);
    assert.match(protocolInfo ?? '', /^http-get:\*:audio\/mpeg:DLNA\.ORG_PN=MP3;DLNA\.ORG_OP=01/);
  }
});

test('it reads the end of the file first, then plays from the beginning and goes on in the middle', async () => {
  const [item] = await radio.search('folk');
  const bytes = FRAME_BYTES * 100;
  const played = await playFile(item?.address ?? assert.fail('no address'), bytes);
  assert.equal(played.title, 'Radio Zürich, a name too long ');
  for (const sound of [played.beginning, played.middle]) {
    assert.equal(sound.length, bytes);
    assert.deepEqual([...sound.subarray(0, 2)], [0xff, 0xfb], 'begins with a frame');
  }
  await relay.untilNobodyListens();
});

test('a part is as long as it was asked for, one that reaches into the tag ends with it, and none begins behind the end', async () => {
  const { address = '' } = (await radio.search('folk'))[0] ?? {};
  const ask = async (range: string): Promise<{ status: number; body: Buffer; headers: Headers }> => {
    const response = await fetch(address, { headers: { range } });
    return {
      status: response.status,
      headers: response.headers,
      body: Buffer.from(await response.arrayBuffer()),
    };
  };
  const head = await fetch(address, { method: 'HEAD' });
  const length = Number(head.headers.get('content-length'));
  assert.equal((await ask('bytes=0-0')).body.length, 1);
  const end = await ask('bytes=-1000');
  assert.equal(end.headers.get('content-range'), `bytes ${length - 1000}-${length - 1}/${length}`);
  assert.equal(end.body.length, 1000);
  assert.equal(end.body.toString('latin1', 872, 875), 'TAG');
  assert.equal((await ask(`bytes=${length - 128}-${length - 126}`)).body.toString('latin1'), 'TAG');
  const beyond = await ask(`bytes=${length}-`);
  assert.equal(beyond.status, 416);
  assert.match(beyond.body.toString(), /the file ends before that/);
});
