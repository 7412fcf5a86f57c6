import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type AirApp, airApp } from '../../../../test/apps/broadcasters-app.ts';
import { testApp } from '../../../../test/apps/http-server.ts';
import { listSongs } from '../../../storage/catalog/songs.ts';
import { addPartner, listPartners } from '../../../core/accounts/partners/partners.ts';

let app: AirApp;
let server: ReturnType<typeof testApp>;
before(async () => {
  app = await airApp();
  const { pool } = app.seeded.database;
  await addPartner(pool, { id: 'studio-maker', name: 'A maker' });
  const partners = new Map((await listPartners(pool)).map((row) => [row.id, row]));
  const { clock } = app;
  server = testApp(app.air.endpoints, { clock, findPartner: (id) => partners.get(id) });
});
after(() => app[Symbol.asyncDispose]());
/** What a station may send is full again, and no song is shown. */
beforeEach(() => app.clock.advance({ hours: 2 }));

type Fields = Record<string, string>;

const fields = (more: Fields = {}): Fields => ({
  partnerKey: app.key,
  id: `s${app.station.id}`,
  title: 'Quay Song',
  artist: 'Ann Shore',
  ...more,
});

async function push(form: Fields, remoteAddress = '198.51.100.7'): Promise<string> {
  const url = `/Playing.ashx?${new URLSearchParams(form).toString()}`;
  const { body } = await server.app.inject({ url, remoteAddress });
  return body;
}

const playing = (): { artist: string | undefined; title: string } | undefined => {
  const song = app.board.songOf(app.station.id);
  return song && { artist: song.artist, title: song.title };
};
const played = async (): Promise<string[]> =>
  (await listSongs(app.seeded.database.pool, app.station.id, 50)).map(({ title }) => title);

test('a song is told at once and kept, as AzuraCast sends it', async () => {
  const body = await push(fields({ album: 'Tides', partnerId: 'studio-maker' }));
  assert.match(body, /<status>200</);
  assert.deepEqual(playing(), { artist: 'Ann Shore', title: 'Quay Song' });
  assert.equal(app.board.songOf(app.station.id)?.source, 'push');
  assert.equal((await played())[0], 'Quay Song');
});

test('a form and a bare number do as well, and the answer is in the form that is asked for', async () => {
  const payload = new URLSearchParams(fields({ id: `${app.station.id}`, title: 'By Form', render: 'json' }));
  const answer = await server.app.inject({
    method: 'POST',
    url: '/playing.ashx',
    payload: payload.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.deepEqual(answer.json(), { head: { status: '200' }, body: [] });
  assert.equal(playing()?.title, 'By Form');
  assert.match(String(answer.headers['cache-control']), /no-store/);
});

test('commercial=true takes the song away, and none begins', async () => {
  const had = (await played()).length;
  await push(fields());
  await push(fields({ commercial: 'true', title: 'Buy this' }));
  assert.equal(playing(), undefined);
  assert.equal((await played()).length, had + 1);
});

test('the same song told again began when it was told first', async () => {
  await push(fields({ title: 'Long Song' }));
  const began = app.board.songOf(app.station.id)?.startedAt;
  app.clock.advance({ minutes: 2 });
  await push(fields({ title: 'Long Song' }));
  const again = app.board.songOf(app.station.id);
  assert.equal(again?.startedAt, began);
  assert.equal(again?.heardAt, (began ?? 0) + 120_000);
  assert.equal((await played()).filter((title) => title === 'Long Song').length, 1);
});

test('what hides or turns text is left out, and what has no end is cut', async () => {
  await push(fields({ title: `a\u202e${'b'.repeat(1000)}`, artist: '\u200b \u2066' }));
  const { artist, title = '' } = playing() ?? {};
  assert.equal(artist, undefined);
  assert.match(title, /^a b+$/);
  assert.ok(title.length <= 256);
});

test('a pushed song beats what a poller hears, and the station is not polled for its life', async () => {
  const { store, station, clock } = app;
  await store.ask([station.id]);
  await push(fields());
  assert.deepEqual(await store.claimDue(10, 1000), [], 'not due');
  const at = clock.now().epochMilliseconds;
  const heard = { title: 'Heard late', source: 'icy', startedAt: at, heardAt: at } as const;
  await store.publish([{ stationId: station.id, heard, dueInMs: 1000 }]);
  assert.equal(playing()?.title, 'Quay Song');
  clock.advance({ minutes: 11 });
  await store.ask([station.id]);
  assert.deepEqual(
    (await store.claimDue(10, 1000)).map(({ stationId }) => stationId),
    [station.id],
  );
});

const REFUSED: [what: string, change: Fields, status: number, code: string, text: RegExp][] = [
  ['a wrong key', { partnerKey: 'lwk_wrong' }, 401, 'partner.keyInvalid', /longwave station key s\d+/],
  ['no key', { partnerKey: '' }, 400, 'request.invalid', /&apos;partnerKey&apos; not provided/],
  ['no id', { id: '' }, 400, 'request.invalid', /&apos;id&apos; not provided/],
  ['no station', { id: 's999999' }, 400, 'request.idInvalid', /no such station/],
  ['what is no station', { id: 'p1' }, 400, 'request.idInvalid', /no such station/],
  ['no title', { title: '' }, 400, 'request.invalid', /&apos;title&apos; not provided; send commercial=true/],
  ['nothing to read in it', { title: '\u200b' }, 400, 'request.invalid', /&apos;title&apos; not provided/],
  ['an unknown partner', { partnerId: 'nobody' }, 403, 'partner.invalid', /leave it out/],
];
for (const [what, change, status, code, text] of REFUSED) {
  test(`${what} is refused with words that help`, async () => {
    const body = await push(fields(change));
    assert.match(body, new RegExp(`<status>${status}<`));
    assert.match(body, new RegExp(`<fault_code>${RegExp.escape(code)}<`));
    assert.match(body, text);
    assert.equal(playing(), undefined);
  });
}

test('a key opens its own station alone', async () => {
  assert.match(await push(fields({ partnerKey: app.otherKey })), /partner\.keyInvalid/);
  assert.match(await push(fields({ partnerKey: app.otherKey, id: `s${app.other.id}` })), /<status>200</);
});

test('wrong keys of an address are counted, and others are not kept out by them', async () => {
  const wrong = fields({ partnerKey: 'lwk_guess' });
  const answers: string[] = [];
  for (let n = 0; n < 22; n += 1) answers.push(await push(wrong, '203.0.113.9'));
  assert.equal(answers.filter((body) => body.includes('partner.keyInvalid')).length, 20);
  assert.match(answers.at(-1) ?? '', /request\.tooMany/);
  assert.match(await push(fields(), '203.0.113.9'), /Too many wrong keys/, 'even with the right one');
  assert.match(await push(fields(), '203.0.113.10'), /<status>200</);
});

test('right keys are never counted as wrong, and songs that come too fast are', async () => {
  const bodies: string[] = [];
  for (let n = 0; n < 25; n += 1) bodies.push(await push(fields({ title: `Song ${n}` })));
  assert.equal(bodies.filter((body) => body.includes('<status>200<')).length, 20);
  assert.match(bodies.at(-1) ?? '', /Too many calls for this station: send each song once, when it begins/);
  app.clock.advance({ seconds: 5 });
  assert.match(await push(fields()), /<status>200</);
});

test('the key is in no log, however talkative', () => {
  assert.ok(server.logLines.length > 20);
  assert.ok([...server.logLines, ...app.logLines].every((line) => !line.includes(app.key)));
});
