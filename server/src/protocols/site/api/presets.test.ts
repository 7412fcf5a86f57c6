import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type SiteApp, Visitor, member, siteApp } from '../../../../test/apps/site-app.ts';

let site: SiteApp;
before(async () => {
  site = await siteApp();
});
after(() => site[Symbol.asyncDispose]());

interface Preset {
  id: string;
  guideId: string;
  kind: string;
  name: string;
  number: number;
  url?: string;
}
interface Folder {
  id: string;
  name: string;
  isDefault: boolean;
  presets: Preset[];
}

const foldersOf = async (visitor: Visitor): Promise<Folder[]> => (await visitor.get('presets')).folders;

/** What a folder holds, without the numbers that are the account's own. */
const shape = (folders: readonly Folder[]) =>
  folders.map(({ name, isDefault, presets }) => ({
    name,
    isDefault,
    presets: presets.map(({ guideId, kind, name: called, number, url }) => [
      kind,
      url ?? guideId,
      called,
      number,
    ]),
  }));

const save = (visitor: Visitor, body: object): Promise<unknown> => visitor.send('POST', 'presets', body, 201);

/** Stations, a show, addresses that are hard to write, a station that is gone, gaps, names with every sign. */
async function filled(username: string): Promise<Visitor> {
  const visitor = await member(site, username);
  for (const guideId of ['s1', 's2', 's3', 'p1', 's21']) await save(visitor, { guideId });
  await save(visitor, { url: 'http://own.example/live', name: 'Mine, "quoted" <&> #1' });
  const { id: folderId } = await visitor.send('POST', 'folders', { name: 'Küche & "Bad" <2>' }, 201);
  await save(visitor, { guideId: 's4', folderId });
  await save(visitor, { url: 'https://own.example/a?b=c&d=%20e#f', name: '東京, FM', folderId });
  await save(visitor, { url: 'http://stream.example.net/7', name: 'An address that is a station', folderId });
  await visitor.send('POST', 'folders', { name: 'Leer' }, 201);
  const [first] = await foldersOf(visitor);
  await visitor.send('DELETE', `presets/${first?.presets[1]?.id}`, {});
  return visitor;
}

test('saved things are listed with what a page shows of them, and as radios see them', async () => {
  const visitor = await filled('Lister');
  const [first, second] = await foldersOf(visitor);
  assert.deepEqual(
    first?.presets.map(({ guideId, number }) => [guideId.replace(/^u.*/, 'u'), number]),
    [
      ['s1', 1],
      ['s3', 3],
      ['p1', 4],
      ['s21', 5],
      ['u', 6],
    ],
  );
  const { presets } = (await visitor.get('presets')).folders[0];
  assert.partialDeepStrictEqual(presets[0], { kind: 'station', name: 'Station 1', image: '/logos/s1q.png' });
  assert.partialDeepStrictEqual(presets[3], { name: 'Silent FM', isGone: true });
  assert.equal(second?.presets.length, 3);
  const url = '/Browse.ashx?c=presets&username=lister&partnerId=maker&options=recurse';
  const { body } = await site.app.inject({ url, headers: { host: 'radio.test' } });
  assert.deepEqual(
    [...body.matchAll(/guide_id="([sp]\d+)"/g)].map(([, id]) => id),
    ['s1', 's3', 'p1', 's21', 's4'],
  );
});

test('a show that was taken off the lists is gone', async () => {
  const visitor = await filled('Blocked');
  const { pool } = site.database;
  await pool.query('UPDATE shows SET listed = false WHERE id = 1');
  const { presets } = (await visitor.get('presets')).folders[0];
  await pool.query('UPDATE shows SET listed = true WHERE id = 1');
  assert.partialDeepStrictEqual(presets[2], { guideId: 'p1', name: 'Show 1', isGone: true });
});

test('another order keeps the buttons that are in use, and radios see it', async () => {
  const visitor = await filled('Mover');
  const [first] = await foldersOf(visitor);
  const ids = first!.presets.map(({ id }) => id).toReversed();
  const { folders } = await visitor.send('PUT', 'presets/order', { folderId: first!.id, ids });
  assert.deepEqual(
    folders[0].presets.map(({ id, number }: Preset) => [id, number]),
    ids.map((id, at) => [id, [1, 3, 4, 5, 6][at]]),
  );
  const url = '/Browse.ashx?c=presets&username=mover&partnerId=maker&options=recurse';
  const { body } = await site.app.inject({ url, headers: { host: 'radio.test' } });
  const [favorites = ''] = body.split('</outline>');
  assert.deepEqual(
    [...favorites.matchAll(/guide_id="([sp]\d+)"/g)].map(([, id]) => id),
    ['s21', 'p1', 's3', 's1'],
  );
  for (const wrong of [ids.slice(1), [...ids, ids[0]], [...ids.slice(1), '5'], []])
    assert.equal(
      (await visitor.ask('PUT', 'presets/order', { folderId: first!.id, ids: wrong })).status,
      409,
    );
  await save(visitor, { guideId: 's9' });
  assert.deepEqual((await foldersOf(visitor))[0]?.presets.at(-1)?.number, 7, 'the next one comes behind');
});

const full = (folders: readonly Folder[]) => shape(folders).filter(({ presets }) => presets.length > 0);

const plain = (list: string) =>
  list.replaceAll(/[uf]\d{3,}/g, 'own').replaceAll(/<outline[^>]*text="Leer"[^>]*>\n/g, '');

for (const format of ['opml', 'm3u'])
  test(`what is exported as ${format} comes back equal in another account`, async () => {
    const source = await filled(`From${format}`);
    const { text, response } = await source.ask('GET', `presets/export?format=${format}`);
    assert.match(
      String(response.headers['content-disposition']),
      new RegExp(`attachment; filename="presets.${format}"`),
    );
    const target = await member(site, `To${format}`);
    const { preview, unmatched } = await target.send('POST', 'presets/import', { text });
    assert.deepEqual([preview.length, unmatched], [8, []]);
    assert.deepEqual((await foldersOf(target))[0]?.presets, [], 'a preview changes nothing');
    assert.deepEqual(await target.send('POST', 'presets/import', { text, confirm: true }), {
      added: 8,
      skipped: 0,
    });
    assert.deepEqual(full(await foldersOf(target)), full(await foldersOf(source)));
    assert.deepEqual(await target.send('POST', 'presets/import', { text, confirm: true }), {
      added: 0,
      skipped: 8,
    });
    const again = await target.ask('GET', `presets/export?format=${format}`);
    assert.equal(plain(again.text), plain(text));
  });

const LISTS: [what: string, text: string, found: [kind: string, what: string, by: string][]][] = [
  [
    'M3U by address, whatever its scheme',
    '#EXTM3U\n#EXTINF:-1,Anything\nhttps://stream.example.net/5\n',
    [['station', 's5', 'address']],
  ],
  [
    'PLS by name',
    '[playlist]\nFile1=http://elsewhere.example/x\nTitle1=STATION 6 (128 kbps)\n',
    [['station', 's6', 'name']],
  ],
  [
    'OPML of another directory by its own id',
    '<opml version="1"><body><outline type="audio" text="Unlike" URL="http://opml.elsewhere.example/Tune.ashx?id=s424242"/></body></opml>',
    [['station', 's3', 'id']],
  ],
  [
    'an id of another directory that is also one of ours names another station',
    '<opml version="1"><body><outline type="audio" text="Other FM" URL="http://opml.elsewhere.example/Tune.ashx?id=s8"/></body></opml>',
    [['url', 'http://opml.elsewhere.example/Tune.ashx?id=s8', 'kept']],
  ],
  [
    'CSV by name and address',
    'name,url\nStation 9,http://x.example/9\nNew,http://stream.example.net/10\nUnknown,http://y.example/\n',
    [
      ['station', 's9', 'name'],
      ['station', 's10', 'address'],
      ['url', 'http://y.example/', 'kept'],
    ],
  ],
];
for (const [what, text, found] of LISTS)
  test(`a list is recognised: ${what}`, async () => {
    const visitor = await member(site, `L${LISTS.findIndex(([name]) => name === what)}`);
    const { preview } = await visitor.send('POST', 'presets/import', { text });
    assert.deepEqual(
      preview.map((entry: { kind: string; guideId?: string; url?: string; by: string }) => [
        entry.kind,
        entry.guideId ?? entry.url,
        entry.by,
      ]),
      found,
    );
  });

const BOSE_BUTTONS = [
  ['s700001', 'STATION 11 (128k)'],
  ['s700002', 'Station 12'],
  ['s700003', 'Unheard FM'],
  ['s424242', 'Unheard Too'],
  ['s700004', 'Station 13'],
];
const BOSE = `<presets>${BOSE_BUTTONS.map(
  ([id, name], at) =>
    `<preset id="${at + 1}"><ContentItem source="TUNEIN" location="/v1/playback/station/${id}"><itemName>${name}</itemName></ContentItem></preset>`,
).join('')}</presets>`;

test('buttons with ids of another directory are known by name and country, else by what the operator saved', async () => {
  const { pool } = site.database;
  const visitor = await member(site, 'Bosebox');
  await pool.query(`UPDATE stations SET country_id = (SELECT id FROM countries WHERE code = 'IE') WHERE id IN (11, 12);
    UPDATE accounts SET country_id = (SELECT id FROM countries WHERE code = 'IE') WHERE username = 'Bosebox'`);
  const { rows: aliases } = await pool.query('SELECT * FROM aliases ORDER BY scheme, foreign_id');
  const { preview, unmatched } = await visitor.send('POST', 'presets/import', { text: BOSE });
  assert.deepEqual(
    preview.map(({ guideId, by, number }: { guideId: string; by: string; number: number }) => [
      guideId,
      by,
      number,
    ]),
    [
      ['s11', 'name', 1],
      ['s12', 'name', 2],
      ['s3', 'id', 4],
    ],
  );
  // The only station of this name in the world has no country: that a foreign id means it would be a guess.
  assert.deepEqual(unmatched, [
    { name: 'Unheard FM', address: '' },
    { name: 'Station 13', address: '' },
  ]);
  assert.deepEqual(await visitor.send('POST', 'presets/import', { text: BOSE, confirm: true }), {
    added: 3,
    skipped: 2,
  });
  assert.deepEqual((await pool.query('SELECT * FROM aliases ORDER BY scheme, foreign_id')).rows, aliases);
  await pool.query('UPDATE stations SET country_id = NULL WHERE id IN (11, 12)');
});

const FOREIGN_LISTS: [what: string, text: string, found: [guideId: string | undefined, by: string][]][] = [
  [
    'an address is surer than an id that leads elsewhere',
    'name,url,id\nAnything,https://STREAM.example.net:443/14/?utm_source=x,s424242\n',
    [['s14', 'address']],
  ],
  [
    'the country of an entry counts, not that of the account',
    'name,url,id,country\nStation 15,,s700005,FR\nStation 15,,s424242,FR\n',
    [['s3', 'id']],
  ],
  [
    'RadioDroid',
    '[{"stationuuid":"9608c1f4-0601-11e8-ae97-52543be04c81","name":"X","url":"http://stream.example.net/16"}]',
    [['s16', 'address']],
  ],
  [
    'YCast',
    'Mine:\n  Sixteen: http://stream.example.net/16\n  Own: http://own.example/1\n',
    [
      ['s16', 'address'],
      [undefined, 'kept'],
    ],
  ],
  ['YTuner', '[Mine]\nSixteen=http://stream.example.net/16|http://logo.example/\n', [['s16', 'address']]],
];
for (const [what, text, found] of FOREIGN_LISTS)
  test(`a list with ids of another directory: ${what}`, async () => {
    const visitor = await member(site, `F${FOREIGN_LISTS.findIndex(([name]) => name === what)}`);
    const { preview } = await visitor.send('POST', 'presets/import', { text });
    assert.deepEqual(
      preview.map(({ guideId, by }: { guideId?: string; by: string }) => [guideId, by]),
      found,
    );
  });

test('what is no list, or cannot be saved, is told', async () => {
  const visitor = await member(site, 'Wronglist');
  const { unmatched } = await visitor.send('POST', 'presets/import', {
    text: '#EXTM3U\n#EXTINF:-1,Old\nmms://old.example/live\n#EXTINF:-1,File\nftp://old.example/live\n',
  });
  assert.deepEqual(unmatched, [{ name: 'File', address: 'ftp://old.example/live' }]);
  for (const text of [
    '<opml><body>',
    '<!DOCTYPE x []><opml/>',
    'no list at all',
    '[playlist]\n',
    'a,b\n1,2\n',
    '',
  ]) {
    const { status, json } = await visitor.ask('POST', 'presets/import', { text });
    assert.deepEqual([status, json.error.code, json.error.field], [400, 'site.invalid', 'text'], text);
  }
});

const lines = (from: number) =>
  Array.from({ length: 400 }, (_, n) => `http://own.example/${from + n}`).join('\n');

test('an import fills an account up to its limit and no further', async () => {
  const visitor = await member(site, 'Fullup');
  assert.deepEqual(await visitor.send('POST', 'presets/import', { text: lines(0), confirm: true }), {
    added: 400,
    skipped: 0,
  });
  assert.deepEqual(await visitor.send('POST', 'presets/import', { text: lines(400), confirm: true }), {
    added: 100,
    skipped: 300,
  });
  assert.equal((await visitor.ask('POST', 'presets', { guideId: 's1' })).json.error.code, 'preset.limit');
  const { rows } = await site.database.pool.query(
    `SELECT preset_count, (SELECT count(*) FROM presets WHERE account_id = accounts.id) AS counted,
       (SELECT last_position FROM folders WHERE account_id = accounts.id) AS last FROM accounts WHERE username = 'Fullup'`,
  );
  assert.deepEqual(rows, [{ preset_count: 500, counted: 500, last: 500 }]);
});

test('folders are made, renamed and removed; the default one stays', async () => {
  const visitor = await member(site, 'Folders');
  const { id } = await visitor.send('POST', 'folders', { name: ' Bath ' }, 201);
  assert.equal((await visitor.send('POST', 'folders', { name: 'BATH' }, 201)).id, id, 'one name, one folder');
  await visitor.send('PATCH', `folders/${id}`, { name: 'Attic' });
  const [first] = await foldersOf(visitor);
  assert.equal((await visitor.ask('PATCH', `folders/${first?.id}`, { name: 'attic' })).status, 400);
  assert.equal((await visitor.ask('DELETE', `folders/${first?.id}`, {})).status, 400);
  await visitor.send('DELETE', `folders/${id}`, {});
  assert.deepEqual(
    (await foldersOf(visitor)).map(({ name }) => name),
    ['Favorites'],
  );
});
