import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type BrowseApp, browseApp, linksOf } from '../../../../test/apps/browse-app.ts';

let browse: BrowseApp;
before(async () => {
  browse = await browseApp();
});
after(() => browse[Symbol.asyncDispose]());

const PRESETS = '/Browse.ashx?c=presets&partnerId=maker';
const outlinesOf = (body: string): number => body.match(/<outline/g)?.length ?? 0;

const REFUSED: [url: string, code: string][] = [
  ['/Browse.ashx?c=presets&username=ann', 'partner.required'],
  ['/Browse.ashx?c=presets&username=ann&partnerId=stranger', 'partner.invalid'],
  [PRESETS, 'request.invalid'],
  [`${PRESETS}&username=ann&guide_id=f9999`, 'request.idInvalid'],
  [`${PRESETS}&username=ann&guide_id=1031`, 'request.idInvalid'],
  [`${PRESETS}&username=ann&folderId=f9999`, 'request.idInvalid'],
  [`${PRESETS}&username=ann&id=s1`, 'request.idInvalid'],
  [`${PRESETS}&username=ann&guide_id=f1031&folderId=f2055`, 'request.idInvalid'],
  [`${PRESETS}&username=ann&guide_id=f1031&id=f2055`, 'request.idInvalid'],
  [`${PRESETS}&username=ann&guide_id=f1031&guide_id=f2055`, 'request.invalid'],
  [`/Browse.ashx?id=f1031&username=ann`, 'partner.required'],
  [`/Browse.ashx?id=f1031&partnerId=maker`, 'request.invalid'],
  [`/Browse.ashx?id=f1031&partnerId=maker&username=bo`, 'request.idInvalid'],
];
for (const [url, code] of REFUSED) {
  test(`${url} is refused with ${code}`, async () => {
    assert.match(await browse.get(url), new RegExp(`<fault_code>${code}</fault_code>`));
  });
}

test('one folder is its items, several are a link each, and the links open them', async () => {
  const bo = await browse.get(`${PRESETS}&username=BO`);
  assert.match(bo, /guide_id="s2"[^\n]* preset_number="1" preset_id="s2" is_preset="true"/);
  assert.doesNotMatch(bo, /guide_id="f/);
  const folders = linksOf(await browse.get(`${PRESETS}&username=ann`));
  assert.equal(folders.length, 3);
  const counts = [];
  for (const link of folders) counts.push(outlinesOf(await browse.get(link)));
  assert.deepEqual(counts, [3, 1, 0]);
  // One client cuts these out of the address, each up to the next `&`.
  for (const link of folders) assert.match(link, /&title=[^&]+&guide_id=f\d+&/);
});

test('a folder opens by its id however a reader gives it, and is called by its name', async () => {
  const folder = await browse.get(`${PRESETS}&username=ann&guide_id=f1031`);
  assert.equal(outlinesOf(folder), 3);
  for (const named of ['folderId=f1031', 'folderId=1031', 'id=f1031', 'id=f1031&folderId=f1031'])
    assert.equal(await browse.get(`${PRESETS}&username=ann&${named}`), folder, named);
  assert.equal(await browse.get('/Browse.ashx?id=f1031&partnerId=maker&username=ann'), folder);
  const { rows } = await browse.database.pool.query('SELECT name FROM folders WHERE id = 1031');
  assert.ok(folder.includes(`<title>${rows[0].name}</title>`), folder.slice(0, 200));
  const other = await browse.get(`${PRESETS}&username=ann&guide_id=f1031&title=KITCHEN`);
  assert.ok(other.includes(`<title>${rows[0].name}</title>`), 'whatever the link says');
});

test('nobody is told whether a name, a device or only its presets are unknown', async () => {
  for (const who of ['username=nobody', 'username=shy', 'username=kim', 'serial=00-11']) {
    const body = await browse.get(`${PRESETS}&${who}`);
    assert.match(body, /<status>200<\/status>/);
    assert.equal(outlinesOf(body), 0, who);
  }
});

test('what does not play on the device, or is gone, is listed and says so', async () => {
  const wma = await browse.get(`${PRESETS}&username=bo&formats=wma`);
  assert.match(wma, /guide_id="s2" subtext="Not supported by this device"[^\n]* key="unavailable"/);
  const gone = await browse.get(`${PRESETS}&username=ann&guide_id=f2055`);
  assert.match(gone, /text="Gone FM"[^\n]* bitrate="0"[^\n]* key="unavailable"/);
});

test('a show that was taken off the lists is gone for who saved it, and back when it is listed again', async () => {
  const { pool } = browse.database;
  await pool.query("UPDATE presets SET label = 'Saved as' WHERE item_id = 101");
  const folder = (): Promise<string> => browse.get(`${PRESETS}&username=ann&guide_id=f1031`);
  await pool.query('UPDATE shows SET listed = false WHERE id = 101');
  assert.match(await folder(), /text="Saved as"[^\n]* guide_id="p101"[^\n]* key="unavailable"/);
  await pool.query('UPDATE shows SET listed = true WHERE id = 101');
  assert.match(await folder(), /text="Evening 1"[^\n]* guide_id="p101"/);
  assert.doesNotMatch(await folder(), /unavailable/);
});

test('presets are never kept by who asked, and are there as soon as they are saved', async () => {
  const { pool } = browse.database;
  await using app = browse.with({});
  const asked = { url: `${PRESETS}&username=bo`, headers: { host: 'radio.test' } };
  const earlier = await app.inject(asked);
  assert.match(String(earlier.headers['cache-control']), /no-store|no-cache/);
  await pool.query(
    `INSERT INTO presets (account_id, id, folder_id, position, kind, item_id) VALUES (8, ${9 * 1024 + 8}, ${1024 + 8}, 2, 's', 5)`,
  );
  const later = await app.inject(asked);
  assert.equal(outlinesOf(later.body), outlinesOf(earlier.body) + 1);
  await pool.query(`DELETE FROM presets WHERE account_id = 8 AND item_id = 5`);
});

test('the old name of the page answers too', async () => {
  const old = await browse.get('/GroupList.aspx?type=favorite&partnerId=maker&username=bo');
  assert.equal(old, await browse.get(`${PRESETS}&username=bo`));
  assert.match(await browse.get('/GroupList.aspx?type=other'), /api.methodNotFound/);
});
