import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { addPartner } from '../../../src/core/accounts/partners/partners.ts';
import type { PageCall } from './drive-browser.ts';
import { fetchPackage } from '../libraries/npm-package.ts';
import { register } from '../register.ts';
import { DIRECTORY, type ServedHouse, serveHouse } from '../../house/served-house.ts';
import { addTidalStories, TIDAL_STORIES } from '../tidal-stories.ts';

const HARNESS = join(import.meta.dirname, 'drive-browser.ts');
const RADIO = join(import.meta.dirname, '../libraries/drive-node-tunein-radio.ts');
const SECURE = `https://${DIRECTORY}`;
const MINE = { partnerId: 'page', serial: 'a-browser-4711' };
const ADDRESS = 'http://stream.example.net/own.mp3?a=1&b=2';

type Outline = Record<string, string>;
interface Answer {
  head: { status: string; title?: string; fault?: string; fault_code?: string };
  body: Outline[];
}

const preset = (name: string, params: Record<string, string>): PageCall => ({
  name,
  origin: SECURE,
  path: '/Preset.ashx',
  params: { ...MINE, ...params },
});
const browse = (name: string, origin: string): PageCall => ({
  name,
  origin,
  path: '/Browse.ashx',
  params: { ...MINE, c: 'presets' },
});

const CALLS: readonly PageCall[] = [
  browse('nothing', SECURE),
  preset('station', { c: 'add', id: 's1' }),
  preset('again', { c: 'add', id: 's1' }),
  preset('second', { c: 'add', id: 's3' }),
  preset('address', { c: 'add', url: ADDRESS, name: 'Zoë & the <others>' }),
  browse('three', SECURE),
  browse('plain', `http://${DIRECTORY}`),
  preset('remove', { c: 'remove', id: 's1' }),
  preset('second remove', { c: 'remove', id: 's3' }),
  browse('one', SECURE),
  preset('byGuideId', { c: 'remove', id: '{one.guide_id}' }),
  browse('empty', SECURE),
  preset('folder', { c: 'addFolder', name: 'Evenings' }),
  preset('inFolder', { c: 'add', id: 's1', folderId: '{folder.guide_id}' }),
  preset('folders', { c: 'listFolders' }),
  browse('two folders', SECURE),
  { name: 'whose', origin: SECURE, path: '/Account.ashx', params: { ...MINE, c: 'query' } },
  { name: 'claim', origin: SECURE, path: '/Account.ashx', params: { ...MINE, c: 'claim' } },
  preset('refused', { c: 'add' }),
  preset('nobody', { c: 'add', id: 's1', partnerId: 'nobody' }),
];

/** What a listener with a name saves there. */
const LISTENER = { partnerId: 'page', username: 'Aoife', password: 'low-tide-7' };
const NAMED: readonly PageCall[] = [
  { name: 'saved', origin: SECURE, path: '/Preset.ashx', params: { ...LISTENER, c: 'add', id: 's3' } },
  {
    name: 'first',
    origin: SECURE,
    path: '/Preset.ashx',
    params: { ...LISTENER, c: 'add', id: 's1', presetNumber: '1' },
  },
  {
    name: 'in clear',
    origin: `http://${DIRECTORY}`,
    path: '/Preset.ashx',
    params: { ...LISTENER, c: 'add', id: 's2' },
  },
];

/** Makes the calls from one page, one after the other. */
async function callFromPage(
  { house, certFile }: ServedHouse,
  calls: readonly PageCall[],
): Promise<(name: string) => Answer> {
  const file = join(house.folder, 'calls.json');
  writeFileSync(file, JSON.stringify(calls));
  const args = [HARNESS, fetchPackage('playwright-core', '1.65.0'), certFile, file];
  const answers: Record<string, Answer> = JSON.parse(await house.run(process.execPath, args));
  return (name) => {
    const found = answers[name];
    assert.ok(found, `no answer to ${name}`);
    return found;
  };
}

const openPage = async (): Promise<ServedHouse> =>
  serveHouse(async (pool) => {
    await addPartner(pool, { id: 'page', name: 'A page with a radio in it' });
    await addPartner(pool, { id: 'client-test', name: 'A client in a test' });
    await addTidalStories(pool);
  });

const texts = ({ body }: Answer): (string | undefined)[] => body.map(({ text }) => text);

test('a page in Chromium saves, lists and removes presets by script elements', async (t) => {
  await using served = await openPage();
  const answer = await callFromPage(served, CALLS);
  const done = (name: string): Answer => {
    assert.equal(answer(name).head.status, '200', JSON.stringify(answer(name)));
    return answer(name);
  };

  await t.test('adds, and finds what it added in order', () => {
    assert.deepEqual(done('nothing').body, []);
    for (const name of ['station', 'again', 'second', 'address']) assert.deepEqual(done(name).body, []);
    assert.deepEqual(texts(done('three')), [
      'Harbour Folk (Celtic & Irish)',
      'Lantern Jazz (Jazz)',
      'Zoë & the <others>',
    ]);
    assert.deepEqual(
      done('three').body.map(({ preset_number }) => preset_number),
      ['1', '2', '3'],
    );
    assert.deepEqual(texts(done('plain')), texts(done('three')), 'reading needs no HTTPS');
  });
  await t.test('removes a station by its id and an address by its guide ID', () => {
    assert.deepEqual(done('remove').body, []);
    done('second remove');
    assert.deepEqual(texts(done('one')), ['Zoë & the <others>']);
    assert.match(done('one').body[0]?.['guide_id'] ?? '', /^u\d+$/);
    done('byGuideId');
    assert.deepEqual(done('empty').body, []);
  });
  await t.test('makes a folder and saves in it', () => {
    const [folder] = done('folder').body;
    assert.match(folder?.['guide_id'] ?? '', /^f\d+$/);
    done('inFolder');
    assert.ok(
      done('folders').body.some(({ guide_id, type }) => guide_id === folder?.['guide_id'] && type === 'text'),
    );
    assert.equal(done('two folders').body.length, 2);
  });
  await t.test('asks whose device it is, and for a code to join it by', () => {
    assert.equal(answer('whose').head.fault, 'No associated account');
    assert.match(done('claim').body[0]?.['text'] ?? '', /^Code [A-Z2-9]{8}: enter it/);
  });
  await t.test('reads why something was refused', () => {
    assert.equal(answer('refused').head.status, '400');
    assert.match(answer('refused').head.fault ?? '', /'id'|'url'/);
    assert.equal(answer('nobody').head.fault_code, 'partner.invalid');
  });
});

test('what a page saves under a name, another program finds there', async () => {
  await using served = await openPage();
  await register(served, LISTENER);
  const answer = await callFromPage(served, NAMED);
  assert.equal(answer('saved').head.status, '200');
  assert.equal(answer('first').head.status, '200');
  assert.equal(answer('in clear').head.fault_code, 'request.insecure');
  const { username, password } = LISTENER;
  const args = [RADIO, fetchPackage('node-tunein-radio', '0.3.4'), TIDAL_STORIES, username, password];
  const env = { NODE_EXTRA_CA_CERTS: served.authorityFile };
  const { presets }: { presets: Answer } = JSON.parse(
    await served.house.run(process.execPath, args, { env }),
  );
  assert.deepEqual(
    presets.body.map(({ guide_id, preset_number }) => [guide_id, preset_number]),
    [
      ['s1', '1'],
      ['s3', '2'],
    ],
  );
});
