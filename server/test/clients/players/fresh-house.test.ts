import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { poolOf } from '../../database/database-server.ts';
import { type Service, startService } from '../../end-to-end/service.ts';
import { HOST, linesOf, Lyrion, SERIAL } from './lyrion.ts';

/**
 * What programs ask for that have a partner id built in, of a directory that was just set up at home: migrated, stations
 * imported, no partner registered, no setting but the key of accounts.
 */
let service: Service;
before(async () => {
  service = await startService({ PUBLIC_HOSTS: undefined, PARTNERS: undefined }, { isFresh: true });
});
after(() => service[Symbol.asyncDispose]());

const get = async (path: string, userAgent: string): Promise<Response> => {
  const answer = await fetch(`${service.origin}${path}`, { headers: { 'User-Agent': userAgent } });
  assert.equal(answer.status, 200, path);
  return answer;
};

interface Item {
  URL: string;
  text: string;
  type?: string;
  key?: string;
  guide_id?: string;
  preset_id?: string;
  preset_number?: string;
  children?: Item[];
}

/** A document of the protocol in JSON; whatever is no success fails. */
async function json(path: string, userAgent: string): Promise<Item[]> {
  const { head, body }: { head: { status: string }; body: Item[] } = JSON.parse(
    await (await get(path, userAgent)).text(),
  );
  assert.equal(head.status, '200', path);
  return body;
}

const flat = (items: readonly Item[]): Item[] =>
  items.flatMap((item) => [item, ...flat(item.children ?? [])]);

test('Lyrion (15, 16): index, save, list, play, remove', async () => {
  const lyrion = new Lyrion(service.httpPort);
  const menus = await lyrion.menus();
  const presets = menus.get('presets') ?? '';
  assert.deepEqual((await lyrion.open(presets)).items, []);
  const { items } = await lyrion.open(menus.get('music') ?? '');
  const genre = linesOf(items).find(({ url }) => url?.includes('Browse.ashx'));
  const stations = await lyrion.open(genre?.url ?? '');
  const station = linesOf(stations.items).find(({ type }) => type === 'audio');
  const id = station?.attributes.get('guide_id') ?? '';
  assert.match(id, /^s\d+$/);
  const change = (c: string) =>
    lyrion.about(`http://${HOST}/Preset.ashx?c=${c}&id=${id}&partnerId=15&serial=${SERIAL}`);
  assert.match((await change('add')).body, /<status>200<\/status>/);
  const [saved] = (await lyrion.open(presets)).items;
  assert.equal(saved?.attributes.get('guide_id'), id);
  const [stream = ''] = await lyrion.scan(saved?.url ?? '');
  assert.match(stream, /^https?:\/\/stream\.example\.net\//);
  assert.match((await change('remove')).body, /<status>200<\/status>/);
  assert.deepEqual((await lyrion.open(presets)).items, []);
});

test('Kodi (HyzqumNX): index, formats, save, move, list, play, remove', async () => {
  const [agent, device] = ['Kodi/20.1 (X11; Linux x86_64)', 'partnerId=HyzqumNX&serial=00:11:22:33:44:55'];
  const ask = (path: string) => json(`${path}&render=json&${device}`, agent);
  const index = await ask('/Browse.ashx?locale=en');
  assert.ok(index.length >= 6 && index.every(({ URL: url }) => url.includes('?')));
  assert.ok((await ask('/Describe.ashx?c=formats')).length > 5);
  const found = flat(await ask('/Search.ashx?query=harbour'));
  const [first, second] = found.flatMap(({ guide_id: id, type }) => (type === 'audio' && id ? [id] : []));
  assert.ok(first !== undefined && second !== undefined);
  for (const id of [first, second]) await ask(`/Preset.ashx?c=add&id=${id}`);
  await ask(`/Preset.ashx?c=add&id=${second}&presetNumber=1`);
  const presets = await ask('/Browse.ashx?c=presets');
  assert.deepEqual(
    flat(presets).map(({ guide_id: id, preset_number: number }) => [id, Number(number)]),
    [
      [second, 1],
      [first, 2],
    ],
  );
  const playlist = await (await get(`/Tune.ashx?id=${second}&${device}`, agent)).text();
  assert.match(playlist, /^https?:\/\/stream\.example\.net\/\S+\n/);
  for (const id of [first, second]) await ask(`/Preset.ashx?c=remove&id=${id}`);
  assert.deepEqual(await ask('/Browse.ashx?c=presets'), []);
});

test('Music Assistant (1): it reads and plays the presets of an account', async () => {
  const agent = 'MusicAssistant/2.0';
  const account = {
    username: 'assistant',
    password: 'lights-9x',
    email: 'ma@mail.example',
    city: 'Cork',
  };
  const pool = poolOf(service.databaseUrl, 1);
  const { rows } = await pool.query<{ id: string }>(
    "SELECT 'n' || id AS id FROM countries WHERE code = 'IE'",
  );
  await pool.end();
  const created = await fetch(`${service.secureOrigin}/Account.ashx?c=create&partnerId=1&render=json`, {
    method: 'POST',
    body: new URLSearchParams({ ...account, countryId: rows[0]?.id ?? '' }),
  });
  const text = await created.text();
  assert.match(text, /"status": ?"200"/, text);
  const ask = (path: string) =>
    json(`${path}&formats=ogg,aac,wma,mp3,hls&username=assistant&partnerId=1&render=json`, agent);
  const [station] = flat(await ask('/Search.ashx?query=harbour')).filter(({ type }) => type === 'audio');
  const id = station?.guide_id ?? '';
  const secret = new URLSearchParams({ username: account.username, password: account.password });
  for (const c of ['add', 'remove']) {
    const path = `/Preset.ashx?c=${c}&id=${id}&partnerId=1&render=json`;
    const changed = await fetch(`${service.secureOrigin}${path}`, { method: 'POST', body: secret });
    assert.match(await changed.text(), /"status": ?"200"/);
    const presets = flat(await ask('/Browse.ashx?c=presets'));
    assert.deepEqual(
      presets.map(({ preset_id: preset }) => preset),
      c === 'add' ? [id] : [],
    );
    if (c === 'remove') continue;
    const listing = await ask(`/Describe.ashx?c=composite&detail=listing&id=${id}`);
    assert.equal(listing[0]?.children?.[0]?.preset_id, id);
    const [stream] = await ask(`/Tune.ashx?id=${id}`);
    assert.match(JSON.stringify(stream), /"url": ?"https?:\/\/stream\.example\.net\//);
  }
});

test('Linn (ah2rjr68): presets in containers, then the streams of one', async () => {
  const device = 'partnerId=ah2rjr68&serial=linn-0001&formats=mp3,wma,aac,wmvideo,ogg,hls';
  const ask = async (path: string) => (await get(`${path}&${device}`, '')).text();
  const [, id = ''] = /guide_id="(s\d+)"/.exec(await ask('/Search.ashx?query=harbour')) ?? [];
  assert.match(await ask(`/Preset.ashx?c=add&id=${id}`), /<status>200<\/status>/);
  const presets = await ask('/Browse.ashx?c=presets&options=recurse:tuneShows');
  assert.match(presets, /<outline type="container" [^>]*is_default="true">/);
  const [, url = ''] =
    new RegExp(`<outline type="audio" text="[^"]*" URL="([^"]*)"[^>]*guide_id="${id}"`).exec(presets) ?? [];
  const { pathname, search } = new URL(url.replaceAll('&amp;', '&'));
  const options = await (await get(`${pathname}${search}&c=ebrowse`, '')).text();
  const [, stream = ''] = /URL="([^"]*Tune\.ashx[^"]*id=e\d[^"]*)"/.exec(options) ?? [];
  const target = new URL(stream.replaceAll('&amp;', '&'));
  assert.match(
    await (await get(target.pathname + target.search, '')).text(),
    /^https?:\/\/stream\.example\.net\//,
  );
  assert.match(await ask(`/Preset.ashx?c=remove&id=${id}`), /<status>200<\/status>/);
  assert.doesNotMatch(await ask('/Browse.ashx?c=presets&options=recurse:tuneShows'), /type="audio"/);
});

test('an id that nobody knows registers itself at home, so that none of all these calls was refused', async () => {
  const answer = await get('/Browse.ashx?c=local&partnerId=Kitchen-7&render=json', 'Kitchen/1.0');
  assert.match(await answer.text(), /"status": ?"200"/);
  const pool = poolOf(service.databaseUrl, 1);
  const { rows } = await pool.query<{ by: string; count: number }>(
    'SELECT registered_by AS by, count(*)::int AS count FROM partners GROUP BY 1 ORDER BY 1',
  );
  const unknown = await pool.query('SELECT FROM unknown_partners');
  await pool.end();
  assert.deepEqual(rows, [
    { by: 'itself', count: 1 },
    { by: 'longwave', count: 15 },
  ]);
  assert.equal(unknown.rowCount, 0);
});
