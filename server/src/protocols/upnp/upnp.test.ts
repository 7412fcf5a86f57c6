import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createNetServer } from 'node:net';
import { after, before, test } from 'node:test';
import {
  ControlPoint,
  type ControlPointTraits,
  findElement,
  HEOS_LIKE,
  MPD_LIKE,
  readXml,
  type SeenObject,
} from '../../../test/devices/control-point.ts';
import { portOf } from '../../../test/servers/port-of.ts';
import { sendRaw } from '../../../test/apps/http-server.ts';
import { TEST_UDN, type UpnpApp, upnpApp } from '../../../test/apps/upnp-app.ts';

let app: UpnpApp;
let mpd: ControlPoint;
before(async () => {
  app = await upnpApp();
  mpd = await controlPoint(MPD_LIKE);
});
after(() => app?.[Symbol.asyncDispose]());

async function controlPoint(traits: ControlPointTraits): Promise<ControlPoint> {
  const point = new ControlPoint(
    traits,
    async (path) => (await app.ask('GET', path)).body,
    async (path, headers, body) => {
      const { statusCode, body: text } = await app.ask('POST', path, headers, body);
      return { status: statusCode, text };
    },
  );
  assert.equal(await point.boot(), 'Radio & more');
  return point;
}

/** As a player asks: where to, or undefined for what is sent itself. */
async function follow(address: string): Promise<string | undefined> {
  const { origin, pathname } = new URL(address);
  if (origin !== 'http://192.168.1.20:8706') return undefined;
  const { statusCode, headers } = await app.ask('GET', pathname);
  assert.equal(statusCode, 302, address);
  return String(headers.location);
}

test('descriptions are XML with a length and the headers of the standard', async () => {
  for (const path of ['/description.xml', '/content.xml', '/connections.xml']) {
    const { statusCode, headers, body } = await app.ask('GET', path);
    assert.equal(statusCode, 200);
    assert.equal(headers['content-type'], 'text/xml; charset="utf-8"');
    assert.equal(Number(headers['content-length']), Buffer.byteLength(body));
    assert.match(String(headers['server']), / UPnP\/1\.0 Longwave\//);
    assert.equal(headers['ext'], '');
    readXml(body);
    assert.equal((await app.ask('HEAD', path)).statusCode, 200);
  }
  const description = readXml((await app.ask('GET', '/description.xml')).body);
  assert.equal(findElement(description, 'UDN')?.text, TEST_UDN);
  for (const { text } of description.children.flatMap((child) => urlsIn(child)))
    assert.ok([200, 404].includes((await app.ask('GET', text)).statusCode), text);
});

const urlsIn = (element: ReturnType<typeof readXml>): ReturnType<typeof readXml>[] =>
  element.name === 'url' || element.name === 'SCPDURL' ? [element] : element.children.flatMap(urlsIn);

test('every icon is a picture of the size it is said to have', async () => {
  const description = readXml((await app.ask('GET', '/description.xml')).body);
  const icons = findElement(description, 'iconList')?.children ?? [];
  assert.equal(icons.length, 4);
  for (const icon of icons) {
    const { headers, rawPayload } = await app.ask('GET', findElement(icon, 'url')?.text ?? '');
    assert.equal(headers['content-type'], findElement(icon, 'mimetype')?.text);
    if (headers['content-type'] === 'image/png')
      assert.equal(rawPayload.readUInt32BE(16), Number(findElement(icon, 'width')?.text));
  }
});

test('every station is reached from the root, every folder says how much is in it and who is above it', async () => {
  const stations = new Set<string>();
  const seen = new Set<string>();
  const walk = async (folder: SeenObject): Promise<void> => {
    assert.ok(!seen.has(folder.id), `${folder.id} is reached twice`);
    seen.add(folder.id);
    const children = await mpd.open(folder.id);
    assert.equal(children.length, folder.childCount, folder.id);
    for (const child of children) {
      assert.equal(child.parentId, folder.id);
      assert.doesNotMatch(child.id, /[/?&#%\s]/);
      assert.deepEqual(await mpd.metadata(child.id), child);
      if (child.isFolder) await walk(child);
      else stations.add(child.id.slice(child.id.lastIndexOf('.') + 1));
    }
  };
  const root = await mpd.metadata('0');
  assert.equal(root.parentId, '-1');
  await walk(root);
  for (const { id } of app.snapshot().stations) assert.ok(stations.has(`s${id}`), `s${id}`);
  assert.ok(seen.size > 30, `${seen.size} folders`);
});

test('presets of the account come first, with saved addresses, and without shows', async () => {
  const [presets] = await mpd.open('0');
  assert.equal(presets?.id, 'presets');
  const items = await mpd.open('presets');
  assert.deepEqual(
    items.map(({ id }) => id),
    ['presets.s1', `presets.u${3 * 1024 + 7}`],
  );
  const { address } = await mpd.play(items[1]!, follow);
  assert.match(address, /^https?:/);
  assert.equal((await app.ask('GET', '/saved/u999.mp3')).statusCode, 404);
});

const titles = (objects: readonly SeenObject[]): string[] => objects.map(({ title }) => title);
const titlesOf = async (criteria: string, container?: string): Promise<string[]> =>
  titles((await mpd.searchBy(criteria, container)).objects);

test('windows of any size, one after the other, are the whole folder; sorting is by title', async () => {
  const whole = await mpd.open('r0');
  for (const pageSize of [1, 2, 7]) {
    const point = await controlPoint({ ...MPD_LIKE, pageSize });
    assert.deepEqual(await point.open('r0'), whole, `by ${pageSize}`);
  }
  const up = titles((await mpd.page('r0', 0, '+dc:title')).objects);
  const down = titles((await mpd.page('r0', 0, '-dc:title,+upnp:artist')).objects);
  assert.deepEqual(up, up.toSorted());
  assert.deepEqual(down, up.toReversed());
  const answer = await mpd.call('Browse', {
    ObjectID: '0',
    BrowseFlag: 'BrowseDirectChildren',
    RequestedCount: '0',
  });
  assert.equal(answer.get('NumberReturned'), answer.get('TotalMatches'), 'zero is all');
});

test('MPD plays by an address without entities that leads on, and a receiver that follows nothing gets where it leads', async () => {
  const [station] = await mpd.search('Harbour Folk');
  assert.equal(station?.title, 'Harbour Folk');
  assert.equal(station?.address, 'http://192.168.1.20:8706/play/s1.mp3');
  assert.match(station?.protocolInfo ?? '', /^http-get:\*:audio\/mpeg:DLNA\.ORG_PN=MP3;DLNA\.ORG_OP=00;/);
  const led = await mpd.play(station, follow);
  assert.equal(led.redirects, 1);
  const heos = await controlPoint(HEOS_LIKE);
  const direct = await heos.play(await heos.metadata('0.s1'), follow);
  assert.deepEqual(direct, { address: led.address, redirects: 0 });
});

test('searches as control points send them', async () => {
  const folk = await titlesOf('dc:title contains "folk"');
  assert.ok(folk.includes('Harbour Folk'));
  const audio = 'upnp:class derivedfrom "object.item.audioItem"';
  assert.deepEqual(await titlesOf(`${audio} and dc:title contains "folk"`), folk);
  assert.deepEqual(
    await titlesOf(
      `(${audio}) and (dc:title contains "folk" or upnp:artist contains "folk" or upnp:album contains "folk")`,
    ),
    folk,
  );
  assert.deepEqual(await titlesOf('dc:title = "harbour folk"'), ['Harbour Folk']);
  assert.ok(
    !(await titlesOf('dc:title contains "folk" and dc:title doesNotContain "harbour"')).includes(
      'Harbour Folk',
    ),
  );
  for (const none of [
    'upnp:artist contains "folk"',
    'upnp:class derivedfrom "object.item.videoItem" and dc:title contains "folk"',
    'dc:title contains "folk" and upnp:class = "object.container.album.musicAlbum"',
    '@refID exists true',
  ])
    assert.deepEqual(await titlesOf(none), [], none);
  const everything = await titlesOf('*');
  assert.equal(everything.length, Math.min(app.snapshot().stations.length, MPD_LIKE.pageSize));
  assert.deepEqual(await titlesOf(`${audio} and @refID exists false`), everything);
  const { regionById } = app.snapshot();
  const ireland = [...regionById.values()].find(({ code }) => code === 'country:IE');
  const there = await titlesOf('*', `r${ireland?.id}`);
  assert.equal(there.length, ireland?.stationCount);
  for (const title of await titlesOf('dc:title contains "radio"', `r${ireland?.id}`))
    assert.ok(there.includes(title));
});

test('mistakes are answered with the errors of the standard', async () => {
  const browse = { ObjectID: '0', BrowseFlag: 'BrowseDirectChildren' };
  const cases: [code: number, action: string, args: Record<string, string>][] = [
    [401, 'CreateObject', {}],
    [401, 'constructor', {}],
    [402, 'Browse', { ...browse, BrowseFlag: 'x' }],
    [402, 'Browse', { BrowseFlag: 'BrowseMetadata' }],
    [402, 'Browse', { ...browse, StartingIndex: '-1' }],
    [701, 'Browse', { ...browse, ObjectID: 'g999999' }],
    [701, 'Browse', { ...browse, ObjectID: '__proto__' }],
    [701, 'Browse', { ...browse, ObjectID: 'presets-9' }],
    [701, 'Browse', { ObjectID: '0.s99999', BrowseFlag: 'BrowseMetadata' }],
    [709, 'Browse', { ...browse, SortCriteria: '+dc:title;drop' }],
    [708, 'Search', { ContainerID: '0', SearchCriteria: 'dc:title contains' }],
    [708, 'Search', { ContainerID: '0', SearchCriteria: `${'('.repeat(50)}dc:title = "x"` }],
    [710, 'Search', { ContainerID: 'g999999', SearchCriteria: '*' }],
  ];
  for (const [code, action, args] of cases)
    await assert.rejects(
      mpd.call(action, args),
      new RegExp(`UPnP error ${code}: .{10}`),
      JSON.stringify(args),
    );
  for (const body of ['', '<', '<x/>', '<!DOCTYPE x><x/>', `<a>${'<b>'.repeat(500)}`])
    assert.equal(
      (await app.ask('POST', '/content/control', { 'content-type': 'text/xml' }, body)).statusCode,
      400,
    );
  const long = await app.ask('POST', '/content/control', { 'content-type': 'text/xml' }, 'x'.repeat(20_000));
  assert.equal(long.statusCode, 413);
});

test('the other service, and what the server can do', async () => {
  const soap = async (action: string, inside = ''): Promise<string> => {
    const body = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><m:${action} xmlns:m="x">${inside}</m:${action}></e:Body></e:Envelope>`;
    return (await app.ask('POST', '/connections/control', { 'content-type': 'text/xml' }, body)).body;
  };
  assert.match(
    await soap('GetProtocolInfo'),
    /<Source>http-get:\*:audio\/mpeg:DLNA.ORG_PN=MP3,.*<Sink><\/Sink>/,
  );
  assert.match(await soap('GetCurrentConnectionIDs'), /<ConnectionIDs>0</);
  assert.match(
    await soap('GetCurrentConnectionInfo', '<ConnectionID>0</ConnectionID>'),
    /<Direction>Output</,
  );
  assert.match(await soap('GetCurrentConnectionInfo', '<ConnectionID>5</ConnectionID>'), /<errorCode>402</);
  assert.equal(
    (await mpd.call('GetSearchCapabilities', {})).get('SearchCaps'),
    'dc:title,upnp:class,upnp:genre',
  );
  assert.equal((await mpd.call('GetSortCapabilities', {})).get('SortCaps'), 'dc:title');
  assert.equal((await mpd.call('GetSystemUpdateID', {})).get('Id'), String(app.snapshot().version));
});

test('who subscribes is told so, and never called', async () => {
  await using trap = await listenForCalls();
  const subscribe = (headers: string): Promise<string> =>
    sendRaw(
      app.port,
      `SUBSCRIBE /content/event HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${headers}\r\n`,
    );
  const first = await subscribe(
    `CALLBACK: <http://127.0.0.1:${trap.port}/>\r\nNT: upnp:event\r\nTIMEOUT: Second-300\r\n`,
  );
  assert.match(first, /^HTTP\/1\.1 200 /);
  const [, sid] = /^SID: (uuid:[\da-f-]{36})\r$/m.exec(first) ?? assert.fail(first);
  assert.match(first, /^TIMEOUT: Second-1800\r$/m);
  assert.match(await subscribe(`SID: ${sid}\r\n`), /^HTTP\/1\.1 200 /);
  assert.match(await subscribe(''), /^HTTP\/1\.1 412 /);
  assert.match(await subscribe('SID: x\r\n'), /^HTTP\/1\.1 412 /);
  const end = `UNSUBSCRIBE /content/event HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nSID: ${sid}\r\n\r\n`;
  assert.match(await sendRaw(app.port, end), /^HTTP\/1\.1 200 /);
  assert.equal(trap.calls(), 0);
});

test('who calls from outside the house is refused, whatever they ask for', async () => {
  let caller = '';
  const server = createServer((request, response) => {
    Object.defineProperty(request.socket, 'remoteAddress', { value: caller, configurable: true });
    app.handle(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const statusFor = async (address: string): Promise<string> => {
    caller = address;
    const headers = 'X-Forwarded-For: 192.168.1.5\r\nConnection: close';
    const request = `GET /description.xml HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n\r\n`;
    return (await sendRaw(portOf(server), request)).slice(9, 12);
  };
  for (const home of [
    '192.168.1.5',
    '10.0.0.9',
    '172.16.3.4',
    '127.0.0.1',
    '169.254.1.1',
    '::ffff:192.168.1.5',
  ])
    assert.equal(await statusFor(home), '200', home);
  for (const stranger of ['8.8.8.8', '172.32.0.1', '100.64.0.1', '2001:db8::1', '::ffff:8.8.8.8', ''])
    assert.equal(await statusFor(stranger), '403', stranger);
  server.close();
});

test('a page whose name leads here is refused', async () => {
  const get = (lines: string): Promise<string> => sendRaw(app.port, `${lines}Connection: close\r\n\r\n`);
  const status = async (lines: string): Promise<string> => (await get(lines)).slice(9, 12);
  assert.equal(await status(`GET /description.xml HTTP/1.1\r\nHost: 127.0.0.1:${app.port}\r\n`), '200');
  assert.equal(await status('GET /description.xml HTTP/1.0\r\n'), '200');
  assert.equal(
    await status(`GET http://127.0.0.1:${app.port}/description.xml HTTP/1.1\r\nHost: x\r\n`),
    '200',
  );
  for (const host of ['evil.example', 'evil.example:80', 'localhost', '127.0.0.1.evil.example', '10.0.0.1'])
    assert.equal(await status(`GET /description.xml HTTP/1.1\r\nHost: ${host}\r\n`), '403', host);
  assert.equal(
    await status('GET http://evil.example/description.xml HTTP/1.1\r\nHost: 127.0.0.1\r\n'),
    '403',
  );
});

async function listenForCalls() {
  let count = 0;
  const server = createNetServer((socket) => {
    count += 1;
    socket.destroy();
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    calls: () => count,
    [Symbol.asyncDispose]: () => new Promise<void>((done) => void server.close(() => done())),
  };
}
