import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import {
  DirectoryClient,
  DirectoryFault,
  everyOutline,
  type ClientOptions,
  type Menu,
} from '../../../client/src/client.ts';
import { countingMethods, listMethods } from './client-methods.ts';
import { startService, type Service } from './service.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service[Symbol.asyncDispose]());

const called = new Set<string>();
const client = (options: Partial<ClientOptions> = {}): DirectoryClient => {
  const { origin: baseUrl, secureOrigin: secureBaseUrl } = service;
  const base = { baseUrl, secureBaseUrl, partnerId: 'kit', deadlineMs: 30_000 };
  return countingMethods(new DirectoryClient({ ...base, ...options }), called);
};

const ids = ({ outlines }: Menu): string[] =>
  [...everyOutline(outlines)].map(({ guideId }) => guideId).filter((id) => id !== undefined);

const fault = (code: string) => (error: unknown) => error instanceof DirectoryFault && error.code === code;

/** A name that nobody has. */
const newName = (): string => `k${randomBytes(5).toString('hex')}`;
const newSerial = (): string => randomBytes(16).toString('hex');

const WAYS: [what: string, options: () => Partial<ClientOptions>][] = [
  ['JSON over HTTP', () => ({ render: 'json' })],
  ['XML over HTTP', () => ({ render: 'xml' })],
  ['JSON over HTTPS', () => ({ baseUrl: service.secureOrigin })],
];

for (const [what, options] of WAYS) {
  test(`the directory in ${what}`, async () => {
    const radio = client(options());
    const index = await radio.browse.index();
    assert.deepEqual(
      index.outlines.map(({ key }) => key),
      ['local', 'talk', 'sports', 'music', 'location', 'language', 'podcast', 'presets'],
    );
    const music = await radio.follow(index.outlines[3] ?? assert.fail());
    assert.deepEqual(music, await radio.browse.category('music'));
    const stations = await Array.fromAsync(radio.stations(await radio.browse.category('best')));
    assert.ok(stations.length > 10);
    const [station = assert.fail()] = stations;
    assert.match(station.url ?? '', /Tune\.ashx\?id=s\d+&partnerId=kit/);
    assert.ok((station.bitrate ?? 0) > 0 && (station.reliability ?? 0) > 0);
    const here = radio.with({ latlon: [51.9, -8.5] });
    assert.ok(ids(await here.browse.local()).length > 1);
    const [language = assert.fail()] = (await radio.browse.languages()).outlines;
    assert.ok((await radio.browse.languages(language.guideId)).outlines.length > 0);
    assert.ok((await radio.browse.byId('s2', ['genre'])).outlines.every(({ key }) => key === 'genres'));
    const schedule = await radio.browse.schedule('s2', { forward: true, live: true });
    assert.match(schedule.outlines[0]?.start ?? '', /^\d{4}-\d\d-\d\dT/);
    assert.equal(schedule.outlines[0]?.duration, 7200);
    assert.equal((await radio.browse.playlist('s2')).outlines[0]?.type, 'text');
    assert.equal((await radio.browse.topics('p1')).outlines[0]?.children.length, 3);
    assert.ok((await radio.options('s2')).outlines.length > 2);
    await reportAll(radio);
    await assert.rejects(radio.browse.byId('local'), fault('request.idInvalid'));
  });

  test(`search, describe, tune and config in ${what}`, async () => {
    const radio = client(options());
    const name = (await radio.describe.item('s1'))?.fields['name'] ?? assert.fail();
    assert.equal((await radio.search.find(name, { types: 'station' })).outlines[0]?.guideId, 's1');
    const [stream = assert.fail()] = await radio.tune.streams('s1');
    assert.deepEqual(
      await radio.tune.playlist('s1'),
      (await radio.tune.streams('s1')).map(({ url }) => url),
    );
    assert.deepEqual([stream.mediaType, stream.reason], ['mp3', undefined]);
    assert.ok(ids(await radio.search.byStream(stream.url)).includes('s1'));
    assert.equal((await radio.search.bySong('nobody sings this')).outlines[0]?.type, 'text');
    assert.equal((await radio.search.byArtist('nobody')).outlines[0]?.type, 'text');
    assert.equal((await radio.tune.choices('s1')).outlines[0]?.guideId, stream.guideId);
    assert.ok(ids(await radio.tune.show('p1')).includes('t1025'));
    await radio.tune.showStations('p1');
    await explainTone(radio);
    assert.equal((await radio.describe.item('p1'))?.kind, 'show');
    assert.equal(await radio.describe.item('s999999999'), undefined);
    const details = await radio.describe.details('s2', ['genre']);
    assert.deepEqual(
      details.map(({ key }) => key),
      [undefined, 'genres'],
    );
    const [listing = assert.fail()] = await radio.describe.composite('s2', ['listing']);
    assert.equal(listing.children[0]?.described?.fields['guide_id'], 's2');
    assert.ok((await radio.describe.nowPlaying('s2')).length >= 2);
    assert.ok((await radio.describe.countries()).length > 200);
    for (const list of ['languages', 'genres', 'locales', 'formats'] as const)
      assert.ok(
        (await radio.describe[list]()).every(({ text }) => text !== ''),
        list,
      );
    assert.ok(Math.abs((await radio.config.time()).utc - Date.now() / 1000) < 60);
    assert.ok(Object.keys(await radio.config.content()).length > 3);
    assert.ok((await radio.config.streamSamples()).length > 0);
    assert.equal((await radio.config.api())['text'], 'api');
    const shows = radio.shows(await radio.browse.byId((await genreWithShows(radio)) ?? assert.fail()));
    assert.ok((await Array.fromAsync(shows)).length > 10, 'more than a group holds');
  });

  test(`presets and accounts in ${what}`, async () => {
    const serial = newSerial();
    const device = client({ ...options(), serial });
    assert.deepEqual((await device.browse.presets()).outlines, []);
    await device.preset.add({ id: 's3' });
    assert.deepEqual(ids(await device.browse.presets()), ['s3']);
    const account = { username: newName(), password: 'pass!word1' };
    const country =
      (await device.describe.countries()).find(({ text }) => text === 'Ireland') ?? assert.fail();
    const place = { city: 'Cork', countryId: country.guideId ?? '' };
    const email = `${account.username}@radio.example`;
    await device.account.create({ ...account, ...place, email });
    await device.account.auth(account);
    await assert.rejects(device.account.auth({ ...account, password: 'wrong' }), { status: 401 });
    const member = client({ ...options(), ...account });
    await keepPresets(member);
    await keepDevice(member, account, serial);
    const named = new RegExp(account.username, 'i');
    await device.account.drop(serial, account);
    await assert.rejects(device.account.query(serial), fault('validation.deviceNotAssociated'));
    const said = await device.account.claim(serial);
    const [code = assert.fail(said)] = /\b[A-Z0-9]{4}-?[A-Z0-9]{4}\b/.exec(said) ?? [];
    await device.account.join(account, { code });
    assert.match(await device.account.query(serial), named);
  });
}

/** A station of four formats, for a radio that does not play all of them. */
async function explainTone(radio: DirectoryClient): Promise<void> {
  const [{ guideId } = assert.fail()] = (await radio.search.find('Longwave Test Tone')).outlines;
  const old = radio.with({ device: 'old-radio' });
  const { device, streams } = await old.tune.explain(guideId ?? '');
  assert.deepEqual(
    [device?.id, device?.tls, device?.playlists],
    ['old-radio', 'none', []],
    'what the call says it is',
  );
  const chosen = streams.filter(({ position }) => position !== undefined);
  assert.deepEqual(
    chosen.map(({ url }) => url),
    await old.tune.playlist(guideId ?? ''),
  );
  assert.ok(chosen.length > 0 && chosen.every(({ code, bitrate }) => code === 'chosen' && bitrate > 0));
  assert.deepEqual(
    streams.slice(chosen.length).map(({ code, position, days }) => [code, position, days]),
    Array.from({ length: 2 }, () => ['format', undefined, []]),
  );
  const [line = assert.fail()] = (await old.tune.choices(guideId ?? '')).outlines;
  assert.match(line.url ?? '', /[?&]device=old-radio(&|$)/, 'links repeat it');
  await assert.rejects(radio.with({ device: 'toaster' }).tune.explain('s1'), fault('request.invalid'));
}

/** Each way to report, and the wizard to its end. */
async function reportAll(radio: DirectoryClient): Promise<void> {
  await radio.report.stream({ id: 's3' });
  await radio.report.stream({ url: 'http://nowhere.example.net/x', error: 5, message: 'gone' });
  await radio.report.played('s3', 90);
  await radio.report.feedback({ id: 's3', text: 'Line one\nline two', email: 'ann@mail.example' });
  await assert.rejects(radio.report.feedback({ id: 's3', text: '' }), fault('validation.feedback'));
  let menu = await radio.report.wizard('s3');
  for (let last = menu.outlines.at(-1); last?.url !== undefined; last = menu.outlines.at(-1))
    menu = await radio.follow(last);
  assert.equal(menu.outlines.at(-1)?.attributes['nav'], 'stop');
}

/** Adds, moves, files, renames and removes. */
async function keepPresets(member: DirectoryClient): Promise<void> {
  await member.preset.add({ id: 's1' });
  await member.preset.add({ id: 'p1' });
  await member.preset.add({ url: 'http://stream.example.net/mine', name: 'Mine' }, { presetNumber: 1 });
  const { outlines } = await member.browse.presets();
  assert.deepEqual(
    outlines.map(({ presetNumber }) => presetNumber),
    [1, 2, 3],
  );
  const mine = outlines[0]?.guideId ?? assert.fail();
  assert.match(mine, /^u\d+$/);
  const kitchen = await member.preset.addFolder('Kitchen');
  assert.match(kitchen, /^f\d+$/);
  await member.preset.add({ id: 's2' }, { folderId: kitchen });
  await member.preset.renameFolder(kitchen, 'Bath');
  const [, ...folders] = await member.preset.listFolders();
  assert.deepEqual(folders, [{ id: kitchen, name: 'Bath' }], 'behind the default one');
  assert.deepEqual(ids(await member.browse.folder(kitchen)), ['s2']);
  assert.equal((await member.browse.allFolders()).outlines.filter(({ isDefault }) => isDefault).length, 1);
  await member.preset.remove({ id: 's2' }, kitchen);
  assert.deepEqual(ids(await member.browse.folder(kitchen)), []);
  await member.preset.removeFolder(kitchen);
  await member.preset.remove({ id: mine });
  assert.deepEqual(ids(await member.browse.presets()), ['s1', 'p1']);
  await assert.rejects(
    member.preset.add({ id: 's2' }, { folderId: kitchen }),
    fault('request.folderInvalid'),
  );
}

async function keepDevice(
  member: DirectoryClient,
  account: { username: string; password: string },
  serial: string,
): Promise<void> {
  await member.account.join(account, { serial });
  assert.deepEqual(ids(await member.browse.presets()), ['s1', 'p1', 's3'], 'the device’s come behind');
  assert.equal(await member.account.query(serial), account.username);
  await assert.rejects(member.account.join(account, { serial }), fault('validation.deviceExists'));
}

async function genreWithShows(radio: DirectoryClient): Promise<string | undefined> {
  const podcasts = await radio.browse.category('podcast');
  return ids(podcasts).find((id) => id.startsWith('g'));
}

test('a forgotten name or password: without a mail server the caller is told so', async () => {
  const { account } = client();
  await assert.rejects(account.remind('nobody@radio.example'), DirectoryFault);
  await assert.rejects(account.reset({ username: 'nobody' }), DirectoryFault);
});

test('every method of the client was called', () => {
  const all = listMethods(new DirectoryClient({ baseUrl: 'http://radio.test' }));
  assert.ok(all.length > 40);
  assert.deepEqual(
    all.filter((method) => !called.has(method)),
    [],
  );
});
