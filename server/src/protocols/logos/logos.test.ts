import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { sendRaw, startServer, type TestServer } from '../../../test/apps/http-server.ts';
import { disc } from '../../../test/content/picture-samples.ts';
import { type SeededDirectory, seededDirectory } from '../../../test/content/seeded-directory.ts';
import { logoEndpoint } from '../../app/api.ts';
import type { Directory } from '../../core/directory/directory.ts';
import { Aliases } from '../../core/directory/lookup/by-any-id.ts';
import { logoOf } from '../../formats/opml/outlines.ts';
import { uuidOf } from '../../lib/ids.ts';
import { addPicture, type SizedPicture } from '../../storage/catalog/images/pictures.ts';
import { createPool } from '../../storage/db/pool.ts';
import { tintOf, TINTS } from './draw.ts';
import { logos } from './logos.ts';
import { addShow } from '../../../test/database/catalogue/add-show.ts';

let seeded: SeededDirectory;
let directory: Pick<Directory, 'current'>;
let server: TestServer | undefined;
let withPicture: string;
let withAddress: string;
let withNeither: string;
const DIGEST = '00000000-0000-0000-0000-00000000000a';

before(async () => {
  seeded = await seededDirectory();
  const db = seeded.database.pool;
  const snapshot = seeded.directory.current();
  const [first, second, third] = snapshot.stations;
  assert.ok(first && second && third);
  [withPicture, withAddress, withNeither] = [`s${first.id}`, `s${second.id}`, `s${third.id}`];
  const stations = [first, second, third].map((station) => ({ ...station, hasLogo: station !== third }));
  const stationById = new Map(stations.map((station) => [station.id, station]));
  directory = { current: () => ({ ...snapshot, stationById }) };
  await addPicture(db, { digest: DIGEST, width: 145, height: 145, files: await filesOfDisc() });
  await db.query(
    "INSERT INTO images (kind, item_id, address) VALUES ('s', $1, 'http://l.example/') ON CONFLICT DO NOTHING",
    [first.id],
  );
  await db.query("UPDATE image_checks SET digest = $1 WHERE kind = 's' AND item_id = $2", [DIGEST, first.id]);
  await db.query(
    "INSERT INTO aliases (scheme, foreign_id, kind, item_id) VALUES ('elsewhere', 's77777777', 's', $1)",
    [first.id],
  );
  server = await startServer([logoEndpoint(logos({ directory, db, aliases: new Aliases(db) }))]);
});
after(async () => {
  await server?.[Symbol.asyncDispose]();
  await seeded[Symbol.asyncDispose]();
});

async function filesOfDisc(): Promise<SizedPicture[]> {
  const picture = disc(145).flatten({ background: '#fff' });
  return [
    { size: 'q', kind: 'png', bytes: await picture.clone().png().toBuffer() },
    { size: 'q', kind: 'jpg', bytes: await picture.clone().jpeg().toBuffer() },
  ];
}

const get = (path: string, init?: RequestInit): Promise<Response> => fetch(`${server?.origin}${path}`, init);
const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

const SIZES: [file: string, pixels: number, type: 'png' | 'jpeg'][] = [
  ['s123t.png', 75, 'png'],
  ['s123s.png', 75, 'png'],
  ['s123q.png', 145, 'png'],
  ['s123d.png', 300, 'png'],
  ['s123g.png', 600, 'png'],
  ['s123.png', 145, 'png'],
  ['s123.jpg', 145, 'jpeg'],
  ['s123d.jpg', 300, 'jpeg'],
  ['s123g.jpeg', 600, 'jpeg'],
  ['p90011q.png', 145, 'png'],
  ['u0q.png', 145, 'png'],
  ['S123Q.PNG', 145, 'png'],
  ['s123q.png?partnerId=demo&c=anything', 145, 'png'],
];
for (const [name, pixels, type] of SIZES) {
  test(`/logos/${name} is a ${type} of ${pixels} pixels`, async () => {
    const response = await get(`/logos/${name}`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), `image/${type}`);
    const file = await bytesOf(response);
    assert.equal(response.headers.get('content-length'), String(file.length));
    const { format, width, height, hasAlpha, isProgressive } = await sharp(file).metadata();
    assert.deepEqual([format, width, height, hasAlpha, isProgressive], [type, pixels, pixels, false, false]);
  });
}

test('a picture is sent as it is kept, for a week, and to who has it not again', async () => {
  for (const [kind, mark] of [
    ['png', '89504e47'],
    ['jpg', 'ffd8ff'],
  ] as const) {
    const response = await get(`/logos/${withPicture}q.${kind}`);
    assert.equal(response.headers.get('cache-control'), 'public, max-age=604800');
    assert.equal((await bytesOf(response)).toString('hex', 0, mark.length / 2), mark);
    const etag = response.headers.get('etag');
    assert.equal(etag, `"${DIGEST}-q.${kind}"`);
    const again = await get(`/logos/${withPicture}q.${kind}`, {
      headers: { 'if-none-match': `W/${etag}, "x"` },
    });
    assert.deepEqual([again.status, again.headers.get('etag'), await again.text()], [304, etag, '']);
    assert.equal(again.headers.get('content-length'), null);
    const other = await get(`/logos/${withPicture}q.${kind}`, { headers: { 'if-none-match': '"x"' } });
    assert.equal(other.status, 200);
  }
});

test('HEAD tells the same without the picture, and nothing may run in it', async () => {
  const whole = await get(`/logos/${withPicture}q.png`);
  const head = await get(`/logos/${withPicture}q.png`, { method: 'HEAD' });
  assert.equal((await bytesOf(head)).length, 0);
  for (const name of ['content-length', 'content-type', 'etag', 'cache-control'])
    assert.equal(head.headers.get(name), whole.headers.get(name), name);
  assert.equal(head.headers.get('x-content-type-options'), 'nosniff');
  assert.match(head.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/);
});

test('an id of another directory shows the picture of our station', async () => {
  const response = await get('/logos/s77777777q.png');
  assert.equal(response.headers.get('etag'), `"${DIGEST}-q.png"`);
});

test('without a picture there are initials: for an hour where one may come, for a day where none will', async () => {
  const coming = await get(`/logos/${withAddress}q.png`);
  assert.equal(coming.headers.get('cache-control'), 'public, max-age=3600');
  const never = await get(`/logos/${withNeither}q.png`);
  assert.equal(never.headers.get('cache-control'), 'public, max-age=86400');
  const same = await get(`/logos/${withNeither}q.png`, {
    headers: { 'if-none-match': never.headers.get('etag') ?? '' },
  });
  assert.equal(same.status, 304);
  const [left, whole] = [await bytesOf(coming), await bytesOf(never)];
  assert.notDeepEqual(left, whole);
});

/** How many points are white. */
const whiteOf = async (file: Buffer): Promise<number> => {
  const data = await sharp(file).greyscale().raw().toBuffer();
  return data.filter((value) => value > 240).length;
};

test('a show has its initials too', async () => {
  const show = await addShow(seeded.database.pool, {
    title: 'Harbour Lights',
    feed: { address: 'https://f.example/', key: uuidOf('f') },
  });
  const named = await bytesOf(await get(`/logos/p${show}q.png`));
  const unnamed = await bytesOf(await get('/logos/p999999999q.png'));
  assert.ok((await whiteOf(named)) > 500);
  assert.notEqual(await whiteOf(named), await whiteOf(unnamed));
});

test('what has no name shows the mark: white on its tint, and the same left and right', async () => {
  const file = await bytesOf(await get('/logos/u7d.png'));
  const data = await sharp(file).raw().toBuffer();
  const at = (x: number, y: number): number[] => [...data.subarray((y * 300 + x) * 3, (y * 300 + x) * 3 + 3)];
  const tint = TINTS[tintOf('u7')]!;
  assert.deepEqual(at(150, 150), [255, 255, 255]);
  assert.deepEqual(at(0, 0), [...tint.top]);
  assert.deepEqual(at(299, 299), [...tint.foot]);
  assert.deepEqual(at(99, 150), [255, 255, 255], 'the inner wave');
  for (const x of [10, 60, 99, 130]) assert.deepEqual(at(x, 120), at(299 - x, 120));
});

test('all tints are in use', () => {
  const used = new Set(Array.from({ length: 200 }, (_, n) => tintOf(`s${n}`)));
  assert.equal(used.size, TINTS.length);
});

test('with the database away every logo is a picture, and asked for again in a minute', async () => {
  const db = createPool({
    databaseUrl: 'postgres://nobody@127.0.0.1:1/none',
    size: 1,
    applicationName: 'test',
  });
  await using pool = { [Symbol.asyncDispose]: () => db.end() };
  void pool;
  await using away = await startServer([logoEndpoint(logos({ directory, db, aliases: new Aliases(db) }))]);
  for (const file of [`${withPicture}q.png`, 'p5d.jpg', 's999999q.png']) {
    const response = await fetch(`${away.origin}/logos/${file}`);
    assert.equal(response.status, 200, file);
    assert.equal(response.headers.get('cache-control'), 'public, max-age=60', file);
    assert.ok((await sharp(await bytesOf(response)).metadata()).width >= 145);
  }
  assert.equal(
    (await fetch(`${away.origin}/logos/${withNeither}q.png`)).headers.get('cache-control'),
    'public, max-age=86400',
  );
});

test('the addresses that outlines name are answered, to HTTP/1.0 too', async () => {
  const { path } = logoOf('s1');
  assert.equal((await get(path)).headers.get('content-type'), 'image/png');
  const raw = await sendRaw(
    server?.listeners.httpPort ?? 0,
    `GET ${path} HTTP/1.0\r\nHost: radio.test\r\n\r\n`,
  );
  assert.match(raw, /^HTTP\/1\.[01] 200 /);
  assert.match(raw, /\r\n\r\n\x89PNG/);
});

test('what is no picture is told so', async () => {
  for (const file of ['s123q.gif', 'x', 's12x.png', '..%2Fetc%2Fpasswd']) {
    assert.match(await (await get(`/logos/${file}`)).text(), /No such picture|Not found/, file);
  }
});
