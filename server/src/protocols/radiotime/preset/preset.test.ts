import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { PASSWORD, type PresetApp, STATIONS, presetApp } from '../../../../test/apps/preset-app.ts';

let radio: PresetApp;
before(async () => {
  radio = await presetApp();
});
after(() => radio[Symbol.asyncDispose]());

/** A device of its own for each test, so that none sees what another saved. */
let serial = 0;
let me: string;
beforeEach(() => {
  serial += 1;
  me = `partnerId=maker&serial=00-1E-${serial}`;
});

const ask = (c: string, more = '', who = me): Promise<string> =>
  radio.get(`/Preset.ashx?c=${c}&${who}&${more}`);
const favorites = (c: string, more: string): Promise<string> =>
  radio.get(`/favorites.ashx?c=${c}&${me}&${more}`);
const browse = (more = '', who = me): Promise<string> => radio.get(`/Browse.ashx?c=presets&${who}&${more}`);
async function done(c: string, more = '', who = me): Promise<void> {
  const body = await ask(c, more, who);
  assert.match(body, /<status>200<\/status>/, `${c} ${more}: ${body}`);
  assert.doesNotMatch(body, /<outline/);
}
async function refused(code: string, c: string, more = '', who = me): Promise<void> {
  const body = await ask(c, more, who);
  assert.ok(body.includes(`<fault_code>${code}</fault_code>`), `${c} ${more}: ${body}`);
}
/** `s1@1 s2@4`: what stands on which button. */
async function shown(more = '', who = me): Promise<string> {
  const lines = (await browse(more, who)).matchAll(/guide_id="([spu]\d+)"[^\n]* preset_number="(\d+)"/g);
  return [...lines].map(([, id, number]) => `${id}@${number}`).join(' ');
}
const folderIds = (body: string): string[] =>
  [...body.matchAll(/guide_id="(f\d+)"/g)].map(([, id = '']) => id);
async function newFolder(name: string, who = me): Promise<string> {
  const [id] = folderIds(await ask('addFolder', `name=${encodeURIComponent(name)}`, who));
  assert.ok(id, `no folder for ${name}`);
  return id;
}
const count = async (table: string): Promise<number> => {
  const { rows } = await radio.database.pool.query<{ count: number }>(`SELECT count(*) FROM ${table}`);
  return rows[0]?.count ?? -1;
};

test('stations, shows and addresses are saved one behind the other, and adding again changes nothing', async () => {
  await done('add', 'id=s3');
  await done('ADD', 'id=p2');
  await done('add', 'url=http%3A%2F%2Fmine.example.net%2Fa%3Fx%3D1&name=Mine');
  for (const same of ['id=s3', 'id=p2', 'id=s3&presetNumber=1']) await done('add', same);
  await done('add', 'url=http%3A%2F%2Fmine.example.net%2Fa%3Fx%3D1&name=Other');
  assert.match(await shown(), /^s3@1 p2@2 u\d+@3$/);
  const body = await browse();
  assert.match(body, /text="Mine" URL="http:\/\/mine.example.net\/a\?x=1"/);
});

test('an id from elsewhere leads to the station, when it is added and when it is removed', async () => {
  await done('add', 'id=s424242');
  assert.equal(await shown(), 's1@1');
  await done('remove', 'id=s424242');
  assert.equal(await shown(), '');
});

test('a station that cannot be heard now can be saved, and one that vanishes keeps its name', async () => {
  await done('add', `id=s${STATIONS + 1}`);
  assert.match(await browse(), /text="Silent FM"[^\n]* key="unavailable"/);
});

test('a number that is taken moves the others; an item with a new number moves', async () => {
  for (const id of ['s1', 's2', 's3', 's5']) await done('add', `id=${id}`);
  await done('remove', 'id=s3');
  assert.equal(await shown(), 's1@1 s2@2 s5@4');
  await done('add', 'id=s4&presetNumber=1');
  assert.equal(await shown(), 's4@1 s1@2 s2@3 s5@4');
  await done('add', 'id=s4&presetNumber=3');
  assert.equal(await shown(), 's1@1 s2@2 s4@3 s5@4');
  await done('add', 'id=s5&presetNumber=9');
  assert.equal(await shown(), 's1@1 s2@2 s4@3 s5@9');
  await done('add', 'id=s6');
  assert.equal(await shown(), 's1@1 s2@2 s4@3 s5@9 s6@10');
});

test('after the last is removed the next takes its number', async () => {
  for (const id of ['s1', 's2']) await done('add', `id=${id}`);
  await done('remove', 'id=s2');
  await done('add', 'id=s3');
  assert.equal(await shown(), 's1@1 s3@2');
});

test('what is removed twice, or never was, is removed', async () => {
  await done('remove', 'id=s1');
  await done('add', 'id=s1');
  await done('remove', 'id=s1');
  await done('remove', 'id=s1');
  await done('remove', 'url=http://mine.example.net/');
  assert.equal(await shown(), '');
});

test('an address is removed by its guide ID or by itself, and tuned by its guide ID', async () => {
  await done('add', 'url=http://mine.example.net/1');
  await done('add', 'url=http://mine.example.net/2');
  const [first] = (await shown()).split('@');
  assert.match(await browse(), /text="http:\/\/mine.example.net\/1"/);
  assert.equal(await radio.get(`/Tune.ashx?id=${first}&${me}`), 'http://mine.example.net/1\n');
  assert.match(await radio.get(`/Tune.ashx?id=${first}&partnerId=maker&serial=stranger`), /#STATUS: 400/);
  await done('remove', `id=${first}`);
  await done('remove', 'url=http://mine.example.net/2');
  assert.equal(await shown(), '');
});

const STREAMING = [
  'mms://media.example.net/live',
  'rtsp://media.example.net/live.rm',
  'rtmp://media.example.net/live',
];

const unavailable = (body: string): number => body.match(/key="unavailable"/g)?.length ?? 0;

const url = (address: string): string => `url=${encodeURIComponent(address)}`;

test('an address is moved and removed by the URL that lists show, which may have a question mark more', async () => {
  const own = 'http://mine.example.net/live?';
  for (const address of ['http://mine.example.net/live', 'http://mine.example.net/a#1', own, `${own}x=1`]) {
    await done('add', url(address));
    const [, listed = ''] = / URL="([^"]+)"/.exec(await browse()) ?? [];
    await done('add', `${url(listed)}&presetNumber=3`);
    assert.match(await shown(), /^u\d+@3$/, address);
    await done('remove', url(listed));
    assert.equal(await shown(), '', address);
  }
  await done('add', url(own));
  await done('add', url('http://mine.example.net/live'));
  await done('remove', url(own));
  assert.match(await shown(), /^u\d+@2$/, 'the one that was saved so goes first');
});

test('addresses of Windows Media, Real and Flash are saved, and given to what can play them', async () => {
  for (const address of STREAMING) await done('add', `url=${encodeURIComponent(address)}&name=Mine`);
  const ids = (await shown()).split(' ').map((preset) => preset.split('@')[0]);
  assert.equal(ids.length, 3);
  const given: string[][] = [];
  for (const formats of ['', 'wma', 'real', 'flash', 'mp3,aac']) {
    const played = ids.map((id) => radio.get(`/Tune.ashx?id=${id}&${me}${formats && `&formats=${formats}`}`));
    given.push((await Promise.all(played)).map((text) => new URL(text.trim()).protocol));
  }
  // What cannot be played is said so by a sound that everything plays.
  assert.deepEqual(given, [
    ['mms:', 'rtsp:', 'rtmp:'],
    ['mms:', 'rtsp:', 'https:'],
    ['https:', 'rtsp:', 'https:'],
    ['https:', 'https:', 'rtmp:'],
    ['https:', 'https:', 'https:'],
  ]);
  assert.equal(unavailable(await browse()), 0);
  assert.equal(unavailable(await browse('formats=wma')), 1);
  assert.equal(unavailable(await browse('formats=mp3,aac')), 3);
  assert.match(await browse(), /URL="mms:\/\/media\.example\.net\/live\?"/);
  await done('remove', `url=${encodeURIComponent(STREAMING[0] ?? '')}`);
  assert.equal((await shown()).split(' ').length, 2);
});

test('a saved address can be put into another folder and on another number by its guide ID', async () => {
  await done('add', 'url=http://mine.example.net/&name=Mine');
  const [id] = (await shown()).split('@');
  await done('add', `id=${id}&presetNumber=7`);
  assert.equal(await shown(), `${id}@7`);
  const folder = await newFolder('Kitchen');
  await done('add', `id=${id}&folderId=${folder}`);
  assert.match(await browse(`guide_id=${folder}`), /text="Mine"[^\n]* preset_number="1"/);
  await refused('request.idInvalid', 'add', `id=${id}`, 'partnerId=maker&serial=stranger2');
});

test('folders are made, listed, renamed and removed, and hold presets of their own', async () => {
  const kitchen = await newFolder('Küche & Bad');
  assert.equal(await newFolder('KÜCHE & BAD'), kitchen);
  const [standard, second, ...more] = folderIds(await ask('listFolders'));
  assert.equal(second, kitchen);
  assert.deepEqual(more, []);
  await done('add', `id=s1&folderId=${kitchen}`);
  await done('add', 'id=s2');
  assert.equal(await shown(`guide_id=${kitchen}`), 's1@1');
  assert.equal(await shown(`guide_id=${standard}`), 's2@1');
  await done('remove', 'id=s1');
  assert.equal(await shown(`guide_id=${kitchen}`), 's1@1');
  await done('renameFolder', `folderId=${kitchen}&name=Bath`);
  assert.match(await ask('listFolders'), /<outline type="text" text="Bath" guide_id="f\d+"\/>/);
  await done('renameFolder', `folderId=${kitchen}&name=BATH`);
  assert.match(await ask('listFolders'), /text="BATH"/, 'its own name, written otherwise, is not taken');
  await done('removeFolder', `folderId=${kitchen}`);
  await done('removeFolder', `folderId=${kitchen}`);
  assert.equal(await shown(), 's2@1');
  assert.notEqual(await newFolder('Bath'), kitchen);
});

test('a guide_id says the same as an id, or as a folder; nothing that is named twice is passed over', async () => {
  const kitchen = await newFolder('Kitchen');
  const bath = await newFolder('Bath');
  await done('add', `id=s1&guide_id=${kitchen}`);
  await done('add', `guide_id=s2&folderId=${kitchen}`);
  assert.equal(await shown(`guide_id=${kitchen}`), 's1@1 s2@2');
  await done('remove', `guide_id=s1&folderId=${kitchen}`);
  assert.equal(await shown(`guide_id=${kitchen}`), 's2@2');
  await refused('request.folderInvalid', 'add', `id=s3&guide_id=${kitchen}&folderId=${bath}`);
  await refused('request.invalid', 'add', 'id=s3&guide_id=s4');
  await refused('request.invalid', 'add', 'id=s3&url=http%3A%2F%2Fmine.example.net%2Fa');
  await refused('request.invalid', 'remove', 'id=s3&url=http%3A%2F%2Fmine.example.net%2Fa');
  await done('removeFolder', `guide_id=${bath}`);
  assert.deepEqual(folderIds(await ask('listFolders')).includes(bath), false);
});

test('several folders are links, and all at once on request', async () => {
  const kitchen = await newFolder('Kitchen');
  await done('add', `id=s1&folderId=${kitchen}`);
  await done('add', 'id=p1');
  assert.equal(await shown(), '');
  assert.deepEqual(folderIds(await browse()).length, 2);
  const all = await browse('options=recurse:tuneShows');
  assert.match(
    all,
    /type="container" text="Favorites"[^\n]* is_default="true">\n[^\n]*Tune.ashx\?id=p1[^\n]*\n\s*<\/outline>\n[^\n]*text="Kitchen"/,
  );
});

test('JSON: a status and an empty body', async () => {
  const answer = JSON.parse(await ask('add', 'id=s1&render=json&render=json'));
  assert.deepEqual(answer, { head: { status: '200' }, body: [] });
});

test('the other name of the page takes folders without their letter, and moves presets between them', async () => {
  assert.match(await favorites('add', 'id=s1'), /<status>200</);
  await done('add', 'url=http://mine.example.net/');
  const [folder] = folderIds(await favorites('addFolder', 'name=Garden'));
  assert.ok(folder);
  const [standard] = folderIds(await ask('listFolders'));
  const number = /u(\d+)@2/.exec(await shown(`guide_id=${standard}`))?.[1];
  for (let times = 0; times < 2; times += 1) {
    assert.match(await favorites('move', `favoriteId=${number}&folderId=${folder.slice(1)}`), /<status>200</);
    assert.equal(await shown(`guide_id=${folder}`), `u${number}@1`);
    assert.equal(await shown(`guide_id=${standard}`), 's1@1');
  }
  await done('add', 'url=http://mine.example.net/');
  const again = /u(\d+)@2/.exec(await shown(`guide_id=${standard}`))?.[1];
  assert.match(await favorites('move', `favoriteId=${again}&folderId=${folder}`), /<status>200</);
  assert.equal(await shown(`guide_id=${folder}`), `u${number}@1`);
  assert.match(await favorites('move', `favoriteId=5&folderId=${folder}`), /request.idInvalid/);
  assert.match(await favorites('removeFolder', `folderId=${folder.slice(1)}`), /<status>200</);
  assert.equal(await shown(), 's1@1');
  await refused('api.methodNotFound', 'move', `favoriteId=${number}&folderId=${folder}`);
});

const WRONG: [code: string, c: string, more: string][] = [
  ['request.invalid', 'add', ''],
  ['request.invalid', 'remove', ''],
  ['request.idInvalid', 'add', 'id=s99999'],
  ['request.idInvalid', 'add', 'id=p99999'],
  ['request.idInvalid', 'add', 'id=u99999'],
  ['request.idInvalid', 'add', 'id=nonsense'],
  ['request.idInvalid', 'add', 'id=g1000'],
  ['request.idInvalid', 'remove', 'id=nonsense'],
  ['request.idInvalid', 'remove', 'id=g1000'],
  ['request.invalid', 'add', 'url=ftp://mine.example.net/'],
  ['request.invalid', 'add', 'url=javascript:alert(1)'],
  ['request.invalid', 'add', 'url=http://mine.example.net/a%20b'],
  ['request.invalid', 'add', `url=http://mine.example.net/${'a'.repeat(2048)}`],
  ['request.invalid', 'add', 'url=mine'],
  ['request.invalid', 'add', 'url=mms:mine'],
  ['request.invalid', 'add', 'url=rtsp://'],
  ['request.invalid', 'add', 'url=file:///etc/passwd'],
  ['request.invalid', 'add', 'id=s1&presetNumber=0'],
  ['request.invalid', 'add', 'id=s1&presetNumber=1001'],
  ['request.invalid', 'add', 'id=s1&presetNumber=-1'],
  ['request.invalid', 'add', 'id=s1&presetNumber=two'],
  ['request.folderInvalid', 'add', 'id=s1&folderId=f999'],
  ['request.folderInvalid', 'add', 'id=s1&folderId=s1'],
  ['request.folderInvalid', 'remove', 'id=s1&folderId=f999'],
  ['request.invalid', 'addFolder', ''],
  ['request.invalid', 'addFolder', 'name=%20'],
  ['request.invalid', 'addFolder', `name=${'a'.repeat(101)}`],
  ['request.folderInvalid', 'renameFolder', 'name=New'],
  ['request.invalid', 'renameFolder', 'folderId=f1'],
  ['request.folderInvalid', 'renameFolder', 'folderId=f999&name=New'],
  ['request.folderInvalid', 'removeFolder', ''],
  ['request.folderInvalid', 'removeFolder', 'folderId=f999'],
];
test('what is wrong is said, and nothing is written for a device that saved nothing', async () => {
  const earlier = [await count('accounts'), await count('devices')];
  for (const [code, c, more] of WRONG) await refused(code, c, more);
  assert.deepEqual([await count('accounts'), await count('devices')], earlier);
  await done('add', 'id=s1');
  for (const [code, c, more] of WRONG) await refused(code, c, more);
  assert.equal(await shown(), 's1@1');
});

test('reading by a device that nobody knows is empty and writes nothing', async () => {
  const earlier = [await count('accounts'), await count('devices')];
  assert.doesNotMatch(await browse(), /<outline|fault/);
  assert.doesNotMatch(await ask('listFolders'), /<outline|fault/);
  await done('remove', 'id=s1');
  assert.deepEqual([await count('accounts'), await count('devices')], earlier);
});

test('empty parameters are absent', async () => {
  await done('add', 'id=s1&folderId=&presetNumber=&name=');
  assert.equal(await shown(), 's1@1');
});

test('a serial means the same device however it is written, and another one under another partner', async () => {
  await done('add', 'id=s1', `partnerId=maker&serial=ab:cd:${serial}`);
  assert.equal(await shown('', `partnerId=maker&serial=ABCD${serial}`), 's1@1');
  assert.equal(await shown('', `partnerId=other&serial=ABCD${serial}`), '');
});

test('two different folders in one call are refused, and neither is touched', async () => {
  const who = 'partnerId=maker&serial=twofolders';
  const [one, other] = [await newFolder('One', who), await newFolder('Other', who)];
  await done('add', `id=s1&folderId=${one}`, who);
  for (const [c, more] of [
    ['add', 'id=s2'],
    ['remove', 'id=s1'],
    ['renameFolder', 'name=Both'],
    ['removeFolder', ''],
  ] as const)
    for (const both of [`folderId=${one}&folderId=${other}`, `folderId=${other}&FOLDERID=${one}`])
      await refused('request.invalid', c, `${more}&${both}`, who);
  assert.equal(await shown(`guide_id=${one}`, who), 's1@1');
  assert.equal(await shown(`guide_id=${other}`, who), '');
  const folders = await ask('listFolders', '', who);
  assert.ok(folders.includes(one) && folders.includes(other) && !folders.includes('Both'), folders);
  await done('add', `id=s2&folderId=${other}&folderId=${other}`, who);
});

test('the default folder and other people’s folders are not touched', async () => {
  const mine = await newFolder('Mine');
  const [standard = ''] = folderIds(await ask('listFolders'));
  await refused('request.folderInvalid', 'removeFolder', `folderId=${standard}`);
  await refused('request.invalid', 'renameFolder', `folderId=${standard}&name=mine`);
  const stranger = 'partnerId=maker&serial=stranger3';
  await done('add', 'id=s1', stranger);
  const earlier = await ask('listFolders');
  for (const [c, more] of [
    ['add', 'id=s2'],
    ['add', 'id=s2&presetNumber=3'],
    ['remove', 'id=s1'],
    ['renameFolder', 'name=Yours'],
    ['removeFolder', ''],
  ] as const)
    await refused('request.folderInvalid', c, `${more}&folderId=${mine}`, stranger);
  assert.equal(await ask('listFolders'), earlier);
  assert.equal(await shown('', stranger), 's1@1');
});

test('partners, names, passwords and HTTPS', async () => {
  const ann = `partnerId=maker&username=ANN&password=${encodeURIComponent(PASSWORD)}`;
  await done('add', 'id=s7', ann);
  assert.equal(await shown('', 'partnerId=maker&username=ann'), 's7@1');
  await done('remove', 'id=s7', ann);
  await refused('partner.required', 'add', 'id=s1', 'serial=1');
  await refused('partner.invalid', 'add', 'id=s1', 'serial=1&partnerId=stranger');
  await refused('request.invalid', 'add', 'id=s1', 'partnerId=maker');
  await refused('validation.credentials', 'add', 'id=s1', 'partnerId=maker&username=ann');
  await refused('validation.credentials', 'add', 'id=s1', 'partnerId=maker&username=ann&password=wrong');
  // The name counts, not the device that every call of a radio names.
  await refused(
    'validation.credentials',
    'add',
    'id=s1',
    `partnerId=maker&username=ann&password=wrong&serial=1`,
  );
  assert.match(await radio.get(`/Preset.ashx?c=add&id=s1&${ann}`, {}), /request.insecure/);
});

test('who does not want to be read by name is read with the password', async () => {
  const bo = `partnerId=maker&username=bo&password=${encodeURIComponent(PASSWORD)}`;
  await done('add', 'id=s8', bo);
  await radio.database.pool.query(`UPDATE accounts SET readable_by_name = false WHERE username = 'Bo'`);
  assert.equal(await shown('', 'partnerId=maker&username=bo'), '');
  assert.equal(await shown('', bo), 's8@1');
  assert.match(await browse('', 'partnerId=maker&username=bo&password=wrong'), /validation.credentials/);
});

test('an unknown action is an unknown method', async () => {
  await refused('api.methodNotFound', 'shuffle');
});

test('without a key of the operator’s nothing is saved, and the fault says what to do', async () => {
  await using bare = await presetApp({ hasMembers: false });
  const body = await bare.get(`/Preset.ashx?c=add&id=s1&${me}`);
  assert.match(body, /<status>503<[^]*MEMBER_KEY[^]*service.unavailable/);
  assert.doesNotMatch(await bare.get(`/Browse.ashx?c=presets&${me}`), /<outline|fault/);
  assert.match(await bare.get('/Browse.ashx?c=presets&partnerId=maker&username=ann'), /<status>200</);
});
