import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SERIAL_SCOPE } from './favourites.ts';
import { FAMILIES, familyOf, parseFamilies } from './families.ts';
import { deviceKey } from '../../core/accounts/devices/devices.ts';
import { linkDevice, redeemPairingCode } from '../../core/accounts/devices/link-device.ts';
import { memberKeys } from '../../core/accounts/keys.ts';
import type { RelayLinks } from '../../core/streams/relay/relay-links.ts';
import { transaction } from '../../storage/db/transaction.ts';
import { sendRaw } from '../../../test/apps/http-server.ts';
import { vtunerApp, type VtunerApp } from '../../../test/apps/vtuner-app.ts';

let app: VtunerApp;
before(async () => {
  app = await vtunerApp();
});
after(() => app[Symbol.asyncDispose]());

const FOLDER = '/setupapp/yamaha/asp/browsexml/';
const MAC = 'mac=00112233445566778899aabbccddeeff';
const YAMAHA = 'http://radioyamaha.vtuner.com';

const largestLanguage = (): string => {
  const [first] = app.snapshot().languages.toSorted((a, b) => b.stationCount - a.stationCount);
  return `l${first?.id}`;
};

async function body(path: string, headers?: Record<string, string>): Promise<string> {
  const answer = await app.ask(path, headers);
  assert.equal(answer.status, 200, path);
  return answer.body;
}

const titlesIn = (text: string): string[] =>
  [...text.matchAll(/<(?:Title|StationName|Display|Message|ShowOnDemandName|ShowEpisodeName)>(.*)</g)].map(
    ([, title]) => title ?? '',
  );
const idsIn = (text: string): string[] => [...text.matchAll(/<StationId>(.*)</g)].map(([, id]) => id ?? '');

test('the token is exactly this for ever, and nothing else is sent', async () => {
  const answer = await sendRaw(
    app.port,
    'GET /setupapp/Yamaha/asp/BrowseXML/loginXML.asp?token=0 HTTP/1.0\r\nHost: radioyamaha.vtuner.com\r\n\r\n',
  );
  const [head = '', sent] = answer.split('\r\n\r\n', 2);
  assert.equal(sent, '<EncryptedToken>6c6f6e6777617665</EncryptedToken>');
  assert.match(head, /^Content-Type: text\/html$/m);
  assert.match(head, /^Content-Length: 49$/m);
  assert.match(head, /^Connection: close$/m);
});

test('a login is a login however its address was spoiled', async () => {
  const first = await body(`${FOLDER}loginXML.asp?gofile=&${MAC}&dlang=eng`);
  assert.match(first, /<ItemCount>\d+<\/ItemCount>\n<Item>\n<ItemType>Dir<\/ItemType>\n<Title>My Presets</);
  for (const path of [
    `/${FOLDER}loginXML.asp?${MAC}&dlang=eng`,
    `${FOLDER.toUpperCase().replace('/YAMAHA', '/yamaha').replace('BROWSEXML', 'browsexml')}LOGINXML.ASP?${MAC}`,
    `${FOLDER}loginXML.asp${MAC}&dlang=eng`,
    `${FOLDER}loginXML.asp:80?${MAC}`,
    `${FOLDER}navXML.asp?gofile=&${MAC}`,
    `${FOLDER}bestXML.asp?${MAC}`,
    `/setupapp/yamaha/asp/AuthLogin/SignIn.asp?${MAC}`,
  ])
    assert.equal(await body(path), first, path);
});

const hostsIn = (text: string): string[] =>
  [...text.matchAll(/<UrlDir>http:\/\/([^/]+)/g)].map(([, host]) => host ?? '');

const hosts = async (host: string): Promise<string[]> => [
  ...new Set(hostsIn(await body(`${FOLDER}loginXML.asp?${MAC}`, { host }))),
];

test('links lead to the name that the radio knows, though PUBLIC_HOSTS has another one', async () => {
  assert.deepEqual(await hosts('radioyamaha2.vtuner.com:80'), ['radioyamaha2.vtuner.com']);
  assert.deepEqual(await hosts('evil.example'), ['radio.test']);
  assert.deepEqual(await hosts('evilvtuner.com'), ['radio.test']);
});

test('all forms of a window are the same list, windows lie anywhere, and none is too long', async () => {
  const page = `${FOLDER}navXML.asp?gofile=${largestLanguage()}&${MAC}`;
  const all = idsIn(await body(`${page}&startitems=1&enditems=100`));
  assert.ok(all.length > 9);
  const folders = titlesIn(await body(`${page}&startitems=1&enditems=100`)).length - all.length;
  for (const [window, from, to] of [
    ['start=6&howmany=4', 5, 9],
    ['startitems=6&enditems=9', 5, 9],
    ['startItems=6&endItems=9', 5, 9],
  ] as const)
    assert.deepEqual(idsIn(await body(`${page}&${window}`)), all.slice(from - folders, to - folders), window);
  for (const wrong of [
    'start=0&howmany=0',
    'start=x',
    'startitems=9&enditems=2',
    'start=999999999&howmany=8',
  ])
    assert.match(await body(`${page}&${wrong}`), /<ItemCount>\d+<\/ItemCount>/, wrong);
});

const firstTitle = async (code: string): Promise<string | undefined> =>
  titlesIn(await body(`${FOLDER}loginXML.asp?${MAC}&dlang=${code}`))[0];

test('titles are in the language of the radio', async () => {
  assert.equal(await firstTitle('ger'), 'Meine Favoriten');
  assert.equal(await firstTitle('deu'), 'Meine Favoriten');
  assert.equal(await firstTitle('swe'), 'Mina favoriter');
  assert.equal(await firstTitle('lat'), 'My Presets', 'what is not translated is English');
  assert.equal(await firstTitle('%00'), 'My Presets');
});

test('a station is found by every id that it has had', async () => {
  const { pool } = app.database;
  const [station] = app.snapshot().stations;
  const id = station!.id;
  await pool.query(
    `INSERT INTO aliases (scheme, foreign_id, kind, item_id) VALUES ('vtuner', '3251', 's', ${id}), ('another', '4711', 's', ${id}),
      ('radio-browser', '0b1e0f6e-5c1b-4f0e-9d58-000000000123', 's', ${id})`,
  );
  for (const known of [`LW${id}`, `lw${id}`, '3251', '0b1e0f6e5c1b4f0e9d58000000000123']) {
    const page = await body(`${FOLDER}statxml.asp?id=${known}&${MAC}`);
    assert.match(page, /<ItemCount>1<\/ItemCount>\n<Item>\n<ItemType>Station</, known);
    assert.deepEqual(idsIn(page), [`LW${id}`]);
    const found = await body(`${FOLDER}Search.asp?sSearchtype=3&Search=${known}&${MAC}`);
    assert.match(found, /<ItemType>Previous<\/ItemType>[^]*<ItemType>Station</, known);
  }
  for (const unknown of ['4711', '99999', 'LW999999', 'constructor', '', '%ff', '__proto__'])
    assert.deepEqual(
      titlesIn(await body(`${FOLDER}statxml.asp?id=${unknown}&${MAC}`)),
      ['This station is not known any more'],
      unknown,
    );
});

test('an id survives a merge', async () => {
  const { pool } = app.database;
  const [winner, loser] = app.snapshot().stations;
  await pool.query('UPDATE stations SET merged_into = $1, listed = false WHERE id = $2', [
    winner!.id,
    loser!.id,
  ]);
  await app.refresh();
  assert.deepEqual(idsIn(await body(`${FOLDER}statxml.asp?id=LW${loser!.id}`)), [`LW${winner!.id}`]);
  await pool.query('UPDATE stations SET merged_into = NULL, listed = true WHERE id = $1', [loser!.id]);
  await app.refresh();
});

test('an unknown file is a page, never an error', async () => {
  for (const file of [
    'nothing.asp',
    'BrowseFML/menuprod.asp',
    'navXML.asp?gofile=LocationLevelOne-Europe',
    'x',
    'help.asp',
  ])
    assert.match(await body(`${FOLDER}${file}`), /<ItemType>Display<\/ItemType>\n<Display>.+</, file);
  assert.equal(await body(`${FOLDER}mac_check.asp?${MAC}`), 'OK');
});

test('a show leads to its episodes, and each is found by its id', async () => {
  const found = await body(`${FOLDER}Search.asp?sSearchtype=2&search=evening&${MAC}`);
  assert.match(found, /<ShowOnDemandID>P101<\/ShowOnDemandID>\n<ShowOnDemandName>Evening 1</);
  const episodes = await body(`${FOLDER}GetShowXML.asp?showid=P101&${MAC}&start=1&howmany=8`);
  assert.match(episodes, /<ItemCount>60</);
  assert.equal(titlesIn(episodes)[0], 'Topic 60');
  const [, id] = /<ShowEpisodeID>(P101X\d+)</.exec(episodes) ?? assert.fail();
  const one = await body(`${FOLDER}Search.asp?sSearchtype=5&Search=${id}&${MAC}`);
  assert.match(one, /<ShowEpisodeURL>http:\/\/topic\.example\.net\/60\.mp3</);
  assert.deepEqual(titlesIn(await body(`${FOLDER}GetShowXML.asp?showid=P122`)), [
    'This station is not known any more',
  ]);
});

test('letters of older radios are understood in a search', async () => {
  assert.deepEqual(titlesIn(await body(`${FOLDER}Search.asp?sSearchtype=2&search=k%e4fer-nowhere&${MAC}`)), [
    'No results for käfer-nowhere',
  ]);
});

test('stored stations are played by their id, and by their number among the favourites', async () => {
  const [station] = app.snapshot().stations;
  const own = 'mac=aa00aa00aa00aa00aa00';
  await body(`${FOLDER}AddFav.asp?stationid=LW${station!.id}&${own}`);
  for (const path of [
    `func/LW${station!.id}.mp3`,
    `func/dynamOD.asp?ex45v=x&id=LW${station!.id}`,
    'func/dynamOD.asp?ex45v=aa00aa00aa00aa00aa00&id=1',
  ]) {
    const { status, headers } = await app.ask(`/setupapp/yamaha/asp/${path}`);
    assert.equal(status, 302, path);
    assert.match(headers.get('location') ?? '', /^http:\/\/stream\.example\.net\//);
  }
  assert.match(
    await body(`/setupapp/yamaha/asp/func/dynampls.asp?id=LW${station!.id}`),
    /^http:\/\/stream\.\S+\n$/,
  );
  const { status, body: said } = await app.ask('/setupapp/yamaha/asp/func/LW999999.mp3');
  assert.equal(status, 404);
  assert.match(said, /no such station/);
});

test('a radio without mac, or a directory without accounts, is told so', async () => {
  assert.match(await body(`${FOLDER}FavXML.asp?empty=`), /Favourites belong to a radio/);
  await using bare = await vtunerApp({ beside: app, hasMembers: false });
  const root = await bare.ask(`${FOLDER}loginXML.asp?${MAC}`);
  assert.doesNotMatch(root.body, /FavXML/);
  assert.match((await bare.ask(`${FOLDER}AddFav.asp?stationid=LW1&${MAC}`)).body, /MEMBER_KEY/);
});

test('a radio is linked to an account by its code, only at home or over HTTPS, and then has its presets', async () => {
  assert.doesNotMatch(await body(`${FOLDER}loginXML.asp?${MAC}`), /gofile=link/);
  assert.match(await body(`${FOLDER}navXML.asp?gofile=link&${MAC}`), /over HTTPS/);
  await using home = await vtunerApp({ beside: app, legacyCredentials: true });
  const { pool } = home.database;
  const keys = memberKeys('k'.repeat(40));
  assert.match((await home.ask(`${FOLDER}loginXML.asp?${MAC}`)).body, /gofile=link/);
  const [, code = ''] =
    /Code (\w+)/.exec((await home.ask(`${FOLDER}navXML.asp?gofile=link&${MAC}`)).body) ?? [];
  const device = (await redeemPairingCode(pool, keys, code)) ?? assert.fail(code);
  assert.deepEqual(device.hash, deviceKey(keys, SERIAL_SCOPE, MAC.slice(4)).hash);
  await transaction(pool, (client) => linkDevice(client, 7, device));
  const folder = (await home.ask(`${FOLDER}FavXML.asp?empty=&${MAC}`)).body;
  assert.deepEqual(idsIn(folder), ['LW1', `U${3 * 1024 + 7}`]);
  assert.match(folder, /<NoDataCache>Yes</);
  assert.match(folder, /<StationUrl>http:\/\/stream\.example\.net\/mine\?x=1</);
  const saved = await home.ask(`${FOLDER}statxml.asp?id=U${3 * 1024 + 7}&${MAC}`);
  assert.match(saved.body, /<StationName>My stream</);
  const stranger = await home.ask(`${FOLDER}statxml.asp?id=U${3 * 1024 + 7}&mac=ffffffffffffffffffff`);
  assert.match(stranger.body, /not known any more/);
  await home.ask(`${FOLDER}RemoveFavs.asp?ID=0&ShowID=P101&${MAC}`);
  assert.doesNotMatch((await home.ask(`${FOLDER}FavXML.asp?empty=&${MAC}`)).body, /P101/);
});

test('one house cannot make accounts without end', async () => {
  const limit = [{ perSecond: 0.001, burst: 2 }];
  const budgets = {
    create: limit,
    claim: limit,
    newRadio: limit,
    mail: limit,
    ticket: limit,
    streamReport: limit,
  };
  await using small = await vtunerApp({ beside: app, budgets });
  const save = async (mac: string): Promise<string> =>
    (await small.ask(`${FOLDER}AddFav.asp?stationid=LW1&mac=${mac}`)).body;
  assert.match(await save('aaaaaaaaaa1'), /Saved/);
  assert.match(await save('aaaaaaaaaa2'), /Saved/);
  assert.match(await save('aaaaaaaaaa3'), /Too many/);
  assert.match(await save('aaaaaaaaaa1'), /Saved/, 'one that is known goes on');
});

test('what a radio cannot play by itself leads to the relay, by the redirect or the address that it follows', async () => {
  const relay = {
    reach: () => ({ isSecure: false, converts: false }),
    addressOf: (_stream: unknown, { origin, id }: { origin: string; id: string }) =>
      `${origin}:8702/relay/${encodeURIComponent(id)}`,
  };
  // oxlint-disable-next-line no-unsafe-type-assertion -- how the relay signs is tested where it is done
  await using relayed = await vtunerApp({ beside: app, relay: relay as unknown as RelayLinks });
  const { pool } = relayed.database;
  await pool.query("UPDATE streams SET address = replace(address, 'http:', 'https:') WHERE station_id = 1");
  await relayed.refresh();
  const url = async (brand: string): Promise<string> => {
    const page = (await relayed.ask(`/setupapp/${brand}/asp/browsexml/statxml.asp?id=LW1&${MAC}`)).body;
    return /<StationUrl>(.*)</.exec(page)?.[1] ?? '';
  };
  assert.equal(await url('yamaha'), `${YAMAHA}/setupapp/yamaha/asp/func/LW1.mp3`);
  assert.equal(await url('pioneer'), `${YAMAHA}:8702/relay/${MAC.slice(4)}`);
  const { headers } = await relayed.ask('/setupapp/yamaha/asp/func/LW1.mp3');
  assert.match(headers.get('location') ?? '', new RegExp(`^${YAMAHA}:8702/relay/`));
  await using alone = await vtunerApp({ beside: app });
  const refused = await alone.ask('/setupapp/yamaha/asp/func/LW1.mp3');
  assert.deepEqual([refused.status, /needs HTTPS/.test(refused.body)], [406, true], refused.body);
  await pool.query("UPDATE streams SET address = replace(address, 'https:', 'http:') WHERE station_id = 1");
});

test('calls are noted for the operator, and a stream that cannot be played says why', async () => {
  const noted: string[] = [];
  await using watched = await vtunerApp({
    beside: app,
    radios: {
      note: (_caller, call) => void noted.push(`${call().what} ${call().status} ${call().code ?? ''}`.trim()),
    },
  });
  await watched.ask(`${FOLDER}loginXML.asp?${MAC}`);
  await watched.ask(`${FOLDER}navXML.asp?gofile=g1&${MAC}`);
  await watched.ask(`${FOLDER}Search.asp?search=secret&${MAC}`);
  await watched.ask('/setupapp/yamaha/asp/func/LW1.mp3');
  await watched.ask('/setupapp/yamaha/asp/func/LW999.mp3');
  assert.deepEqual(noted, [
    'vTuner menu root 200',
    'vTuner menu g1 200',
    'vTuner search 200',
    'Tune s1 200',
    'Tune s999 404',
  ]);
});

test('a menu that is kept is renewed with the directory', async () => {
  const page = `${FOLDER}navXML.asp?gofile=${largestLanguage()}&${MAC}&start=1&howmany=8`;
  const first = await body(page);
  assert.equal(await body(page), first);
  const { pool } = app.database;
  const [id = ''] = idsIn(first);
  await pool.query('UPDATE stations SET name = $1 WHERE id = $2', ['Renamed FM', Number(id.slice(2))]);
  await pool.query('UPDATE catalogue SET version = version + 1, changed_at = now()');
  await app.refresh();
  assert.match(await body(page), /<StationName>Renamed FM</);
});

const told = (brand: string, firmware = '', agent = ''): string => familyOf(brand, firmware, agent).id;

test('families are told by brand, firmware and User-Agent', () => {
  assert.equal(told('yamaha', 'W'), 'yamaha');
  assert.equal(told('YAMAHA', 'M'), 'yamaha-m');
  assert.equal(told('denon', 'M'), 'denon');
  assert.equal(told('medion', '8', 'FSL IR/0.1'), 'frontier');
  assert.equal(told('onkyo'), 'other');
  assert.equal(told('constructor'), 'other');
  assert.equal(new Set(FAMILIES.map(({ id }) => id)).size, FAMILIES.length);
});

test('a family with a switch that is none is refused', () => {
  const family = { id: 'other', name: 'x', certainty: 'code', evidence: 'y', match: {} };
  const parse = (more: object): unknown => parseFamilies(JSON.stringify([{ ...family, ...more }]));
  assert.doesNotThrow(() => parse({}));
  assert.throws(() => parse({ itemcount: false }), /family 1: "itemcount" is no switch/);
  assert.throws(() => parse({ padding: 99 }), /99 none of its values/);
  assert.throws(() => parse({ certainty: 'hearsay' }), /code, owners, inferred/);
  assert.throws(() => parse({ formats: ['mp4'] }), /formats/);
  assert.throws(() => parse({ id: 'last' }), /must be "other"/);
});
