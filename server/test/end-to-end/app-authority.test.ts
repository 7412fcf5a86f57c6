import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeWorld, type World } from './authority-world.ts';

let world: World;
before(async () => {
  world = await makeWorld();
});
after(() => world[Symbol.asyncDispose]());

type Params = Readonly<Record<string, string>>;

const PODCASTS = `
podcasts             none  wrong  radio  list  revoked  other  clear  right
GET devices          401   401    401    401   401      403    403    200
POST device          401   401    401    401   401      403    403    200
GET subscriptions    401   401    401    401   401      403    403    200
PUT subscriptions    401   401    401    401   401      403    403    200
GET changes          401   401    401    401   401      403    403    200
POST changes         401   401    401    401   401      403    403    200
GET episodes         401   401    401    401   401      403    403    200
POST episodes        401   401    401    401   401      403    403    200
GET favorites        401   401    401    401   401      403    403    200
POST login           401   401    401    401   401      403    403    200
`;

test('podcasts of an account are for its own app passwords alone', async () => {
  const { service, ann, others, appPasswords, listTokens } = world;
  const { origin, secureOrigin } = service;
  const name = ann.username;
  const feed = 'https://feeds.example.net/hers.xml';
  const action = { podcast: feed, episode: `${feed}/1.mp3`, action: 'play', position: 5 };
  const wanted: [name: string, path: string, body?: unknown][] = [
    ['GET devices', `/api/2/devices/${name}.json`],
    ['POST device', `/api/2/devices/${name}/phone.json`, { caption: 'Phone' }],
    ['GET subscriptions', `/subscriptions/${name}/phone.json`],
    ['PUT subscriptions', `/subscriptions/${name}/phone.json`, [feed]],
    ['GET changes', `/api/2/subscriptions/${name}/phone.json`],
    ['POST changes', `/api/2/subscriptions/${name}/phone.json`, { add: [feed] }],
    ['GET episodes', `/api/2/episodes/${name}.json`],
    ['POST episodes', `/api/2/episodes/${name}.json`, [action]],
    ['GET favorites', `/api/2/favorites/${name}.json`],
    ['POST login', `/api/2/auth/${name}/login.json`],
  ];
  const callers = new Map<string, [login: string | undefined, at: string]>([
    ['none', [undefined, secureOrigin]],
    ['wrong', [`${name}:aaaaa-aaaaa-aaaaa-aaaaa`, secureOrigin]],
    ['radio', [`${name}:${ann.password}`, secureOrigin]],
    ['list', [`${name}:${listTokens.ann}`, secureOrigin]],
    ['revoked', [`${name}:${appPasswords.revoked}`, secureOrigin]],
    ['other', [`${others[0].username}:${appPasswords.other}`, secureOrigin]],
    ['clear', [`${name}:${appPasswords.ann}`, origin]],
    ['right', [`${name}:${appPasswords.ann}`, secureOrigin]],
  ]);
  let count = 0;
  const statusOf = async ([call, path, body]: (typeof wanted)[number], caller: string): Promise<number> => {
    const [login, at] = callers.get(caller) ?? assert.fail();
    count += 1;
    const response = await fetch(at + path, {
      method: call.split(' ', 1)[0] ?? '',
      headers: {
        // From an address of its own, so that no limit of one has a say.
        'x-forwarded-for': `198.51.100.${count}`,
        ...(login !== undefined && { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status !== 200) assert.ok(!text.includes('hers'), `${caller} was told a podcast`);
    // Wrong passwords of a name run into its limit.
    return response.status === 429 ? 401 : response.status;
  };
  const state = await world.state();
  const names = [...callers.keys()].filter((caller) => caller !== 'right');
  const refused = await Promise.all(
    wanted.map((call) => Promise.all(names.map((caller) => statusOf(call, caller)))),
  );
  assert.equal(await world.state(), state, 'a refusal changes nothing');
  const lines = [`podcasts             ${[...callers.keys()].join('  ')}`];
  for (const [index, call] of wanted.entries()) {
    const statuses = [...(refused[index] ?? []), await statusOf(call, 'right')];
    const cells = [...callers.keys()].map((caller, at) => String(statuses[at]).padEnd(caller.length + 2));
    lines.push((call[0].padEnd(21) + cells.join('')).trimEnd());
  }
  assert.equal(`\n${lines.join('\n')}\n`, PODCASTS);
});

const MUSIC = `
music                        none  wrong  radio  list  revoked  other  clear  right
getUser                      10    40     40     40    40       ok     50     ok
getInternetRadioStations     10    40     40     40    40       ok     50     ok
createInternetRadioStation   10    40     40     40    40       ok     50     ok
getPodcasts                  10    40     40     40    40       ok     50     ok
createPodcastChannel         10    40     40     40    40       ok     50     ok
star                         10    40     40     40    40       ok     50     ok
getPlaylists                 10    40     40     40    40       ok     50     ok
search3                      10    40     40     40    40       ok     50     ok
stream                       10    40     40     40    40       70     50     302
`;

test('music apps see and change what is of the account whose app password they have, and nothing else', async () => {
  const { service, ann, others, appPasswords, listTokens, address } = world;
  const { origin, secureOrigin } = service;
  const name = ann.username;
  const callers = new Map<string, [login: Params, at: string]>([
    ['none', [{}, secureOrigin]],
    ['wrong', [{ u: name, p: 'aaaaa-aaaaa-aaaaa-aaaaa' }, secureOrigin]],
    ['radio', [{ u: name, p: ann.password }, secureOrigin]],
    ['list', [{ u: name, p: listTokens.ann }, secureOrigin]],
    ['revoked', [{ u: name, p: appPasswords.revoked }, secureOrigin]],
    ['other', [{ u: others[0].username, p: appPasswords.other }, secureOrigin]],
    ['clear', [{ u: name, p: appPasswords.ann }, origin]],
    ['right', [{ u: name, p: appPasswords.ann }, secureOrigin]],
  ]);
  const params: Params = {
    f: 'json',
    albumId: 's4',
    query: 'jazz',
    url: 'https://feeds.example.net/more.xml',
    name: 'More',
    streamUrl: 'http://stream.example.net/more',
  };
  let count = 0;
  const resultOf = async (method: string, caller: string): Promise<string> => {
    const [login, at] = callers.get(caller) ?? assert.fail();
    count += 1;
    const item = method === 'stream' ? { id: `u${address}` } : {};
    const query = new URLSearchParams({ ...params, ...item, ...login }).toString();
    const response = await fetch(`${at}/rest/${method}?${query}`, {
      redirect: 'manual',
      headers: { 'x-forwarded-for': `198.51.101.${count}` },
    });
    const text = await response.text();
    if (caller !== 'right') assert.ok(!text.includes('/hers'), `${caller} was told a preset`);
    if (response.status === 302) return '302';
    // Wrong passwords of a name run into its limit.
    if (response.status === 429) return '40';
    const { status, error } = JSON.parse(text)['subsonic-response'];
    return status === 'ok' ? 'ok' : String(error.code);
  };
  const methods = MUSIC.trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(' ', 1)[0] ?? '');
  const strangers = [...callers.keys()].filter((caller) => caller !== 'right' && caller !== 'other');
  const state = await world.state();
  const refused = new Map(
    await Promise.all(
      methods.flatMap((method) =>
        strangers.map(async (caller) => [`${method} ${caller}`, await resultOf(method, caller)] as const),
      ),
    ),
  );
  assert.equal(await world.state(), state, 'a refusal changes nothing');
  const lines = [`music                        ${[...callers.keys()].join('  ')}`];
  for (const method of methods) {
    let line = method.padEnd(29);
    for (const caller of callers.keys()) {
      const result = refused.get(`${method} ${caller}`) ?? (await resultOf(method, caller));
      line += result.padEnd(caller.length + 2);
    }
    lines.push(line.trimEnd());
  }
  assert.equal(`\n${lines.join('\n')}\n`, MUSIC);
});
