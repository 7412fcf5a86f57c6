import assert from 'node:assert/strict';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { sendRaw } from '../apps/http-server.ts';
import { startService, type Service } from './service.ts';

/** The rules that decide whether radios work, each as the strictest device that needs it reads the answer. */

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service[Symbol.asyncDispose]());

const STATION = 's1';
/** The whole of a genre with more stations than one group holds. */
const GENRE = 'g1000';

const ask = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(service.origin + path, { redirect: 'manual', headers });

async function get(path: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await ask(path, headers);
  assert.equal(response.status, 200, path);
  return response.text();
}

type Item = Record<string, unknown> & { children?: Item[] };

async function getJson(path: string): Promise<{ head: Record<string, unknown>; body: Item[] }> {
  const response = await ask(`${path}&render=json`);
  assert.equal(response.headers.get('content-type')?.split(';')[0], 'application/json', path);
  return JSON.parse(await response.text());
}

const linesOf = (body: string): string[] => body.split('\n').filter((line) => line.includes('<outline'));
const valuesOf = (body: string, name: string): string[] =>
  [...body.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value);
const addressesOf = (body: string): string[] =>
  valuesOf(body, 'URL').map((value) => value.replaceAll('&amp;', '&'));
const pathOf = (address: string): string => address.replace(/^https?:\/\/[^/]+/, '');

/** Menus of every kind, for what must hold in each. */
const MENUS = [
  '/Browse.ashx',
  '/Browse.ashx?c=local&latlon=51.9,-8.5',
  '/Browse.ashx?c=music',
  '/Browse.ashx?c=talk',
  '/Browse.ashx?c=sports',
  '/Browse.ashx?c=lang',
  '/Browse.ashx?c=podcast',
  '/Browse.ashx?id=r0',
  '/Browse.ashx?id=r101217',
  `/Browse.ashx?id=${GENRE}`,
  `/Browse.ashx?id=${GENRE}&filter=s&offset=10`,
  `/Browse.ashx?id=${STATION}`,
  '/Browse.ashx?id=p1',
  '/Browse.ashx?c=schedule&id=s2&forward=true&live=true',
  '/Search.ashx?query=radio',
  `/Tune.ashx?c=ebrowse&id=${STATION}`,
  '/Tune.ashx?c=pbrowse&id=p1',
  '/Browse.ashx?c=presets&partnerId=kit&username=ann',
];

test('rule 1: plain HTTP answers directly, and HTTPS as well', async () => {
  assert.equal((await ask('/Browse.ashx')).status, 200);
  const message = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    request(`${service.secureOrigin}/Browse.ashx`, { rejectUnauthorized: false }, resolve)
      .on('error', reject)
      .end();
  });
  assert.equal(message.statusCode, 200);
  assert.match(await text(message), /<status>200<\/status>/);
});

test('rule 2: paths of any case; /, /Browse.ashx and /Index.aspx give the index', async () => {
  const keys = valuesOf(await get('/Browse.ashx'), 'key');
  assert.equal(keys.length, 8);
  for (const path of ['/', '/browse.ashx', '/BROWSE.ASHX', '/Index.aspx', '/index.aspx']) {
    const entries = linesOf(await get(path)).filter((line) => !line.includes(' type="search"'));
    assert.deepEqual(valuesOf(entries.join('\n'), 'key'), keys, path);
  }
  assert.match(await get(`/describe.ashx?id=${STATION}`), /<station>/);
});

test('rule 3: parameter names of any case, and every odd query that clients send', async () => {
  const plain = await get('/Browse.ashx?c=music');
  const queries = [
    'C=music',
    '&c=music',
    '?c=music',
    'c=music&',
    'c=music&&',
    'c=music&name&call',
    'c=music&id',
  ];
  for (const query of [...queries, 'c=music&serial=', 'c=music&c=music', 'c=Music'])
    assert.equal(await get(`/Browse.ashx?${query}`), plain, query);
  for (const name of ['partnerId', 'partnerID', 'partnerid'])
    assert.match(await get(`/Browse.ashx?c=music&${name}=kit`), /&amp;partnerId=kit"/, name);
});

test('rule 4: Accept decides nothing', async () => {
  const plain = await get('/Browse.ashx');
  for (const accept of ['application/json', 'text/html', 'image/*', 'nonsense'])
    assert.equal(await get('/Browse.ashx', { accept }), plain);
});

test('rule 5: HTTP status 200 for faults; the fault is in the head', async () => {
  const faulty = [
    '/Browse.ashx?c=nothing',
    '/Browse.ashx?id=local',
    '/Search.ashx',
    '/No.ashx',
    '/Browse.ashx?c=presets',
  ];
  for (const path of faulty)
    assert.match(await get(path), /<status>4\d\d<\/status>\s*<fault>.+<\/fault>/, path);
});

test('rule 6: the status of JSON is a string', async () => {
  assert.equal((await getJson('/Browse.ashx?c=music')).head['status'], '200');
  assert.equal((await getJson('/Browse.ashx?c=nothing')).head['status'], '400');
});

test('rule 7: attributes in JSON are strings; Tune entries are typed and whole', async () => {
  const everything = (items: Item[]): Item[] =>
    items.flatMap((item) => [item, ...everything(item.children ?? [])]);
  for (const path of MENUS) {
    const { body } = await getJson(path.includes('?') ? path : `${path}?`);
    for (const { children: _, ...attributes } of everything(body))
      for (const [name, value] of Object.entries(attributes))
        assert.equal(typeof value, 'string', `${path} ${name}`);
  }
  const { body } = await getJson(`/Tune.ashx?id=${STATION}`);
  assert.ok(body.length > 1);
  const types = {
    element: 'string',
    url: 'string',
    reliability: 'number',
    bitrate: 'number',
    media_type: 'string',
    position: 'number',
    player_width: 'number',
    player_height: 'number',
    is_hls_advanced: 'string',
    live_seek_stream: 'string',
    is_ad_clipped_content_enabled: 'string',
    is_direct: 'boolean',
    guide_id: 'string',
  };
  for (const entry of body)
    for (const [name, type] of Object.entries(types)) assert.equal(typeof entry[name], type, name);
});

test('rule 8: JSON is application/json, in faults too', async () => {
  for (const path of [
    '/Browse.ashx?c=lang',
    '/Browse.ashx?c=nothing',
    `/Describe.ashx?id=${STATION}`,
    `/Tune.ashx?id=${STATION}`,
  ])
    await getJson(path);
});

test('rule 9: Tune is bare addresses, one a line, LF, audio/x-mpegurl', async () => {
  const response = await ask(`/Tune.ashx?id=${STATION}`);
  assert.equal(response.headers.get('content-type'), 'audio/x-mpegurl');
  assert.match(await response.text(), /^(?:https?:\/\/\S+\n){2,}$/);
});

test('rule 10: an outline a line; type, text, URL, bitrate; double quotes; nothing before />; > escaped', async () => {
  for (const path of MENUS) {
    for (const line of linesOf(await get(path))) {
      assert.match(line.trim(), /^<outline(?: [\w.]+="[^"<>]*")+\/?>$/, path);
      if (line.includes('item="station"'))
        assert.match(line, /^<outline type="audio" text="[^"]*" URL="[^"]*" bitrate="\d+" /);
    }
  }
});

test('rule 11: the declaration, opml version 1, a head of title and status', async () => {
  for (const path of MENUS)
    assert.match(
      await get(path),
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<opml version="1">\s*<head>\s*(?:<title>[^<]+<\/title>\s*)?<status>200<\/status>\s*<\/head>\s*<body>/,
      path,
    );
});

test('rule 12: every index entry has a key and a type, By Location too', async () => {
  for (const path of ['/Browse.ashx', '/?username=ann', '/Browse.ashx?serial=x&partnerId=kit']) {
    const lines = linesOf(await get(path));
    assert.ok(lines.length >= 8);
    for (const line of lines) assert.match(line, / type="link" .* key="\w+"/);
    assert.ok(lines.some((line) => /id=r0.* key="location"/.test(line)));
  }
});

test('rule 13: every address has a ?, and every child of a group an address', async () => {
  for (const path of MENUS) {
    const body = await get(path);
    for (const address of addressesOf(body)) assert.ok(address.includes('?'), `${path}: ${address}`);
    for (const line of linesOf(body))
      if (/ type="(?:link|audio)"/.test(line)) assert.match(line, / URL="/, path);
  }
});

test('rule 14: stations, shows and topics carry what lists need', async () => {
  const seen = new Set<string>();
  for (const path of MENUS) {
    for (const line of linesOf(await get(path))) {
      const [item = ''] = valuesOf(line, 'item');
      if (!['station', 'show', 'topic'].includes(item)) continue;
      seen.add(item);
      for (const name of ['URL', 'guide_id', 'subtext', 'image'])
        assert.match(line, new RegExp(` ${name}="[^"]+"`), path);
      if (item === 'station') assert.match(line, / bitrate="\d+" reliability="\d+" /, path);
    }
  }
  assert.deepEqual([...seen].toSorted(), ['show', 'station', 'topic']);
});

test('rule 15: no empty group, and no text inside a group', async () => {
  for (const path of MENUS) {
    const body = await get(path);
    assert.doesNotMatch(body, /<outline(?! type=)[^>]*\/>/, path);
    assert.doesNotMatch(body, /<outline(?! type=)[^>]*[^/]>\s*<\/outline>/, path);
    for (const [group] of body.matchAll(/<outline(?! type=)[^>]*[^/]>[^]*?<\/outline>/g))
      assert.doesNotMatch(group, / type="text"/, path);
  }
});

test('rule 16: preset_number only in the presets browse, each once, from 1', async () => {
  for (const path of MENUS.filter((menu) => !menu.includes('presets')))
    assert.doesNotMatch(await get(path), /preset_number/, path);
  const numbers = valuesOf(await get('/Browse.ashx?c=presets&partnerId=kit&username=ann'), 'preset_number');
  assert.deepEqual(numbers, ['1', '2', '3', '4']);
});

test('rule 17: links repeat the global parameters, never render, callback or password', async () => {
  const globals = 'formats=mp3,aac&partnerId=kit&serial=00-0E:4&locale=en&username=ann&latlon=51.9,-8.5';
  for (const path of MENUS.filter((menu) => !/latlon|presets/.test(menu))) {
    const body = await get(`${path}${path.includes('?') ? '&' : '?'}${globals}&render=xml&callback=f`);
    for (const address of addressesOf(body)) {
      for (const pair of globals.split('&'))
        assert.ok(`${address}&`.includes(`&${pair}&`), `${path}: ${address}`);
      assert.doesNotMatch(address, /render=|callback=|password=/);
    }
  }
});

test('rule 18: links lead to the host that was asked for, a written port 80 dropped', async () => {
  for (const [host, expected] of [
    ['radio.example.org:80', 'http://radio.example.org/'],
    ['192.168.1.5:8700', 'http://192.168.1.5:8700/'],
  ]) {
    const reply = await sendRaw(
      service.httpPort,
      `GET /Browse.ashx?c=music HTTP/1.0\r\nHost: ${host}\r\n\r\n`,
    );
    const addresses = addressesOf(reply);
    assert.ok(addresses.length > 0);
    for (const address of addresses) assert.ok(address.startsWith(expected!), address);
  }
});

test('rule 19: a list goes on by a last child of key nextStations or nextShows', async () => {
  const page = await get(`/Browse.ashx?id=${GENRE}`);
  for (const [kind, words] of [
    ['Stations', 'More Stations'],
    ['Shows', 'More Shows'],
  ] as const) {
    const line = new RegExp(
      `<outline type="link" text="${words}" URL="([^"]*)" key="next${kind}"/>\n</outline>`,
    );
    const [, address = ''] = line.exec(page) ?? assert.fail(`no ${words}`);
    const next = await get(pathOf(address.replaceAll('&amp;', '&')));
    assert.match(next, kind === 'Stations' ? / item="station"/ : / item="show"/);
  }
});

test('rule 20: ebrowse lists Tune links, each to one stream', async () => {
  const body = await get(`/Tune.ashx?id=${STATION}&formats=mp3,aac&c=ebrowse`);
  assert.match(body, /<title>Listening Options<\/title>/);
  const addresses = addressesOf(body);
  assert.ok(addresses.length > 1);
  for (const address of addresses) {
    assert.match(address, new RegExp(`/Tune\\.ashx\\?id=e\\d+&sid=${STATION}&formats=mp3,aac$`));
    assert.match(await get(pathOf(address)), /^http:\/\/\S+\n$/);
  }
});

test('rule 21: presets recursed are containers, one of them the default', async () => {
  const recursed = 'c=presets&options=recurse:tuneShows&partnerId=kit&formats=mp3';
  const one = linesOf(await get(`/Browse.ashx?${recursed}&username=ann`));
  assert.match(one[0] ?? '', /^<outline type="container" text="General" guide_id="f\d+" is_default="true">$/);
  for (const line of one.slice(1))
    assert.match(line, /^<outline type="\w+" text="[^"]*" URL="[^"]*" .*preset_number="\d+"/);
  const two = await get(`/Browse.ashx?${recursed}&username=bob`);
  assert.equal(valuesOf(two, 'type').filter((type) => type === 'container').length, 2);
  assert.deepEqual(valuesOf(two, 'is_default').toSorted(), ['false', 'true']);
});

test('rule 22: a composite listing holds the station as an object', async () => {
  const { body } = await getJson(`/Describe.ashx?c=composite&detail=listing&id=${STATION}`);
  assert.equal(body[0]?.['key'], 'listing');
  const [child] = body[0]?.children ?? [];
  assert.partialDeepStrictEqual(child, {
    element: 'station',
    guide_id: STATION,
    preset_id: STATION,
    name: 'Harbour Folk',
  });
  for (const name of ['slogan', 'logo']) assert.equal(typeof child?.[name], 'string', name);
});

test('rule 23: formats and genres are lists of texts with guide_id', async () => {
  for (const [c, guideId] of [
    ['formats', 'mp3'],
    ['genres', 'g1000'],
  ] as const) {
    const lines = linesOf(await get(`/Describe.ashx?c=${c}`));
    for (const line of lines) assert.match(line, /^<outline type="text" text="[^"]+" guide_id="[^"]+"/);
    assert.ok(
      lines.some((line) => line.includes(`guide_id="${guideId}"`)),
      c,
    );
  }
});

test('rule 24: now playing has the station line, a second one, and a lifetime', async () => {
  for (const id of [STATION, 's2', '2']) {
    const response = await ask(`/Describe.ashx?c=nowplaying&id=${id}`);
    assert.match(response.headers.get('cache-control') ?? '', /^private, max-age=\d+$/);
    const [first = '', ...more] = linesOf(await response.text()).filter((line) =>
      line.includes('type="text"'),
    );
    assert.match(
      first,
      /^<outline type="text" text="[^"]+" guide_id="s\d+" key="station" image="[^"]+" preset_id="s\d+"/,
    );
    assert.ok(more.length >= 1, id);
  }
});

test('rule 25: a length always, no chunks, HTTP/1.0 and Connection: close honoured, gzip only if asked', async () => {
  for (const head of ['HTTP/1.0\r\n', 'HTTP/1.1\r\nHost: x\r\nConnection: close\r\n']) {
    const reply = await sendRaw(service.httpPort, `GET /Browse.ashx?c=lang ${head}\r\n`);
    const [headers = '', body = ''] = reply.split('\r\n\r\n');
    assert.match(headers, /^HTTP\/1\.1 200 OK/);
    assert.match(headers, new RegExp(`^Content-Length: ${body.length}$`, 'im'));
    assert.match(headers, /^Connection: close$/im);
    assert.doesNotMatch(headers, /Transfer-Encoding|Content-Encoding/i);
  }
  const compressed = await ask('/Browse.ashx?c=lang', { 'accept-encoding': 'gzip' });
  assert.equal(compressed.headers.get('content-encoding'), 'gzip');
  assert.ok(compressed.headers.has('content-length'));
});
