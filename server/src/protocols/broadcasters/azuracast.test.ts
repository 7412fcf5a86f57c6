import assert from 'node:assert/strict';
import { test } from 'node:test';
import { airApp } from '../../../test/apps/broadcasters-app.ts';
import { startServer } from '../../../test/apps/http-server.ts';
import { parseAzuraCast } from './azuracast-hook.ts';

const PLAYED_AT = Date.parse('2026-05-01T11:59:00Z') / 1000;
const account = (playing: unknown, more = {}): string =>
  JSON.stringify({ station: { shortcode: 'quay' }, is_online: true, now_playing: playing, ...more });
const song = { title: 'Quay Song', artist: 'Ann Shore', album: '', art: 'https://quay.example/art.jpg' };

const WORDS: [what: string, text: string, word: ReturnType<typeof parseAzuraCast>][] = [
  [
    'a song with its times',
    account({ song, played_at: PLAYED_AT, duration: 200, elapsed: 60 }),
    {
      song: {
        title: 'Quay Song',
        artist: 'Ann Shore',
        artAddress: 'https://quay.example/art.jpg',
        startedAt: PLAYED_AT * 1000,
        endsAt: (PLAYED_AT + 200) * 1000,
      },
    },
  ],
  [
    'a live show, which has no length',
    account({ song: { text: 'Live with Ann' }, played_at: PLAYED_AT, duration: 0 }),
    { song: { title: 'Live with Ann', startedAt: PLAYED_AT * 1000 } },
  ],
  ['a song without times', account({ song: { title: 'x' } }), { song: { title: 'x' } }],
  [
    'an art that is no address',
    account({ song: { title: 'x', art: 'javascript:x' } }),
    { song: { title: 'x' } },
  ],
  ['a song without a title', account({ song: { title: ' ' }, played_at: 1 }), { song: undefined }],
  ['nothing on', account(null), { song: undefined }],
  ['a station that is off', account({ song }, { is_online: false }), { song: undefined }],
  ['something else', '{"now_playing":{"song":{"title":"x"}}}', undefined],
  ['no JSON', 'title=x', undefined],
  ['a list', '[]', undefined],
];
for (const [what, text, word] of WORDS)
  test(`AzuraCast tells of ${what}`, () => assert.deepEqual(parseAzuraCast(text), word));

test('the web hook tells the song, its end and its picture', async () => {
  await using app = await airApp();
  const { clock, air, key, station, board } = app;
  await using server = await startServer([], { plainEndpoints: air.plainEndpoints, clock });
  const hook = (password: string, body: string, id = `s${station.id}`): Promise<Response> =>
    fetch(`${server.origin}/air/azuracast/${id}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${Buffer.from(`azuracast:${password}`).toString('base64')}`,
      },
      body,
    });
  const given = account({ song, played_at: PLAYED_AT, duration: 200 });
  assert.equal((await hook(key, given)).status, 200);
  const { title, startedAt, endsAt, artAddress } = board.songOf(station.id) ?? assert.fail();
  assert.deepEqual(
    [title, startedAt, endsAt, artAddress],
    ['Quay Song', PLAYED_AT * 1000, (PLAYED_AT + 200) * 1000, 'https://quay.example/art.jpg'],
  );
  assert.equal((await hook(key, account(null))).status, 200);
  assert.equal(board.songOf(station.id), undefined);
  const wrong = await hook('lwk_other', given);
  assert.deepEqual([wrong.status, /longwave station key/.test(await wrong.text())], [401, true]);
  assert.match(await (await hook('', given)).text(), /Basic Auth password/);
  assert.equal((await hook(key, 'x'.repeat(300_000))).status, 413);
  assert.equal((await hook(key, '{}')).status, 400);
  assert.equal((await hook(key, given, 's999999')).status, 400);
  const got = await fetch(`${server.origin}/air/azuracast/s${station.id}`);
  assert.match(await got.text(), /by POST/);
  assert.ok([...server.logLines, ...app.logLines].every((line) => !line.includes(key)));
});
