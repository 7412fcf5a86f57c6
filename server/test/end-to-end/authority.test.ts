import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeWorld, type World } from './authority-world.ts';

let world: World;
before(async () => {
  world = await makeWorld();
});
after(() => world[Symbol.asyncDispose]());

type Params = Readonly<Record<string, string>>;

/** An action as its right caller calls it. */
interface Action {
  name: string;
  path: string;
  params: (world: World) => Params;
  /** Asks in the address, as its clients do; the others in a form. */
  inAddress?: boolean;
  /** Needs no one by name: a device may do it. */
  byDevice?: boolean;
}

const member = ({ ann: { username, password } }: World): Params => ({ username, password });
const inFolder = (key: string, { ann }: World): Params => ({ [key]: ann.folders[0] });

const presetActions = (path: string): Action[] =>
  (
    [
      ['add', (w) => ({ id: 's2', ...inFolder('folderId', w) })],
      ['remove', (w) => ({ id: 's2', ...inFolder('folderId', w) })],
      ['addFolder', () => ({ name: `Den of ${path}` })],
      ['renameFolder', (w) => ({ name: 'Cellar', ...inFolder('folderId', w) })],
      ['listFolders', () => ({})],
    ] satisfies [string, (world: World) => Params][]
  ).map(([c, more]) => ({
    name: `${path.slice(1, -5)} ${c}`,
    path,
    params: (w) => ({ c, ...member(w), ...more(w) }),
    byDevice: true,
  }));

const DEVICE = 'a-radio-of-ann-4711';
const account = (c: string, more: (world: World) => Params): Action => ({
  name: `Account ${c}`,
  path: '/Account.ashx',
  params: (w) => ({ c, ...more(w) }),
});

const CREATED = {
  username: 'newcomer',
  password: 'right+1234',
  email: 'newcomer@radio.example',
  city: 'Cork',
};

/** In this order: what one does the next finds. */
const ACTIONS: readonly Action[] = [
  {
    name: 'Browse presets',
    path: '/Browse.ashx',
    params: (w) => ({ c: 'presets', username: w.ann.username, ...inFolder('guide_id', w) }),
    inAddress: true,
    byDevice: true,
  },
  {
    name: 'Browse presets, signed in',
    path: '/Browse.ashx',
    params: (w) => ({ c: 'presets', ...member(w), ...inFolder('guide_id', w) }),
  },
  ...presetActions('/Preset.ashx'),
  ...presetActions('/favorites.ashx'),
  {
    name: 'favorites move',
    path: '/favorites.ashx',
    params: (w) => ({ c: 'move', ...member(w), favoriteId: w.address, ...inFolder('folderId', w) }),
    byDevice: true,
  },
  {
    name: 'Preset removeFolder',
    path: '/Preset.ashx',
    params: (w) => ({ c: 'removeFolder', ...member(w), folderId: w.ann.folders[1] }),
    byDevice: true,
  },
  {
    name: 'favorites removeFolder',
    path: '/favorites.ashx',
    params: (w) => ({ c: 'removeFolder', ...member(w), folderId: w.ann.folders[1] }),
    byDevice: true,
  },
  account('auth', member),
  account('create', ({ countryId }) => ({ ...CREATED, countryId })),
  account('join', (w) => ({ ...member(w), serial: DEVICE })),
  { ...account('query', () => ({ serial: DEVICE })), byDevice: true },
  { ...account('claim', () => ({ serial: DEVICE })), byDevice: true },
  { ...account('drop', (w) => ({ ...member(w), serial: DEVICE })), byDevice: true },
  account('remind', (w) => ({ email: `${w.ann.username}@radio.example` })),
  account('reset', (w) => ({ username: w.ann.username })),
  {
    name: 'Authenticate',
    path: '/Authenticate.ashx',
    params: member,
    inAddress: true,
  },
];

/** How a caller's parameters differ from the right ones; undefined where there is no such caller of an action. */
type Change = (params: Params, action: Action, index: number) => Params | undefined;

const without = (params: Params, ...names: string[]): Params =>
  Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)));

const CALLERS = new Map<string, Change>([
  ['none', (params) => without(params, 'partnerId')],
  ['unknown', (params) => ({ ...params, partnerId: 'nobody' })],
  ['disabled', (params) => ({ ...params, partnerId: 'gone' })],
  ['wrong', wrongPassword],
  ['folder', othersFolder],
  ['serial', othersSerial],
  ['clear', (params) => params],
  ['right', (params) => params],
]);

/** Of several names in turn, since few wrong passwords of one are borne. */
function wrongPassword(params: Params, { name }: Action, index: number): Params | undefined {
  if (params['password'] === undefined || name === 'Account create') return undefined;
  const { username } = [world.ann, ...world.others][index % 3] ?? world.ann;
  return { ...params, username, password: 'wrong+1234' };
}

function othersFolder(params: Params): Params | undefined {
  const key = ['folderId', 'guide_id'].find((name) => name in params);
  return key === undefined ? undefined : { ...params, [key]: world.others[0].folders[0] };
}

/** The device's serial and folder, in the mouth of another partner. */
function othersSerial(params: Params, { byDevice = false }: Action): Params | undefined {
  if (!byDevice) return undefined;
  const folder = Object.keys(params).filter((name) => name === 'folderId' || name === 'guide_id');
  const folders = Object.fromEntries(folder.map((name) => [name, world.serialFolder]));
  return { ...without(params, 'username', 'password'), ...folders, serial: world.serial, partnerId: 'other' };
}

const WORDS: Readonly<Record<string, string>> = {
  '200 ': 'ok',
  '400 partner.required': 'required',
  '403 partner.invalid': 'invalid',
  '401 validation.credentials': 'denied',
  '403 request.insecure': 'insecure',
  '400 request.folderInvalid': 'folder',
  '400 request.idInvalid': 'id',
  '400 validation.deviceNotAssociated': 'notTied',
};

const MAX_TRIES = 3;
let calls = 0;

/** Status and code as a word; any HTTP status but 200, a redirect above all, stands out. */
async function ask(
  origin: string,
  { path, inAddress = false }: Action,
  params: Params,
): Promise<[word: string, body: string]> {
  calls += 1;
  const sent = new URLSearchParams(params);
  const headers = { 'X-Forwarded-For': `198.51.${100 + (calls >> 8)}.${calls & 255}` };
  const how = { headers, redirect: 'manual' } as const;
  const send = (): Promise<Response> =>
    inAddress
      ? fetch(`${origin}${path}?${sent.toString()}`, how)
      : fetch(origin + path, { ...how, method: 'POST', body: sent });
  let response = await send();
  // Told that there is too much to do, a radio asks again; who may do what is for the answer after that.
  for (let tries = 0; response.status === 503 && tries < MAX_TRIES; tries += 1) response = await send();
  const body = await response.text();
  const [, status = ''] = /<status>(\d+)</.exec(body) ?? [];
  const [, code = ''] = /<fault_code>([^<]+)</.exec(body) ?? [];
  const word = WORDS[`${status} ${code}`] ?? `${status}:${code}`;
  return [response.status === 200 ? word : `HTTP ${response.status} ${word}`, body];
}

async function cell(caller: string, action: Action, index: number): Promise<string> {
  const right = { partnerId: 'kit', ...action.params(world) };
  const params = CALLERS.get(caller)?.(right, action, index);
  if (!params) return '-';
  const { origin, secureOrigin } = world.service;
  const state = await world.state();
  const [word, body] = await ask(caller === 'clear' ? origin : secureOrigin, action, params);
  if (caller === 'right') return word;
  const said = caller === 'serial' && body.includes(world.serialFolder) ? ' TOLD' : '';
  return (await world.state()) === state ? word + said : `${word} CHANGED`;
}

const EXPECTED = `
action                     none      unknown   disabled  wrong     folder    serial    clear     right
Browse presets             required  invalid   invalid   -         id        id        ok        ok
Browse presets, signed in  required  invalid   invalid   denied    id        -         insecure  ok
Preset add                 required  invalid   invalid   denied    folder    folder    insecure  ok
Preset remove              required  invalid   invalid   denied    folder    folder    insecure  ok
Preset addFolder           required  invalid   invalid   denied    -         ok        insecure  ok
Preset renameFolder        required  invalid   invalid   denied    folder    folder    insecure  ok
Preset listFolders         required  invalid   invalid   denied    -         ok        insecure  ok
favorites add              required  invalid   invalid   denied    folder    folder    insecure  ok
favorites remove           required  invalid   invalid   denied    folder    folder    insecure  ok
favorites addFolder        required  invalid   invalid   denied    -         ok        insecure  ok
favorites renameFolder     required  invalid   invalid   denied    folder    folder    insecure  ok
favorites listFolders      required  invalid   invalid   denied    -         ok        insecure  ok
favorites move             required  invalid   invalid   denied    folder    folder    insecure  ok
Preset removeFolder        required  invalid   invalid   denied    folder    folder    insecure  ok
favorites removeFolder     required  invalid   invalid   denied    folder    folder    insecure  ok
Account auth               required  invalid   invalid   denied    -         -         insecure  ok
Account create             required  invalid   invalid   -         -         -         insecure  ok
Account join               required  invalid   invalid   denied    -         -         insecure  ok
Account query              required  invalid   invalid   -         -         notTied   insecure  ok
Account claim              required  invalid   invalid   -         -         ok        insecure  ok
Account drop               required  invalid   invalid   denied    -         notTied   insecure  ok
Account remind             required  invalid   invalid   -         -         -         insecure  ok
Account reset              required  invalid   invalid   -         -         -         insecure  ok
Authenticate               required  invalid   invalid   denied    -         -         insecure  ok
`;

test('who may do what: every action by every caller, and a refusal changes nothing', async () => {
  const width = Math.max(...ACTIONS.map(({ name }) => name.length)) + 2;
  const line = (first: string, cells: readonly string[]): string =>
    (first.padEnd(width) + cells.map((word) => word.padEnd(10)).join('')).trimEnd();
  const callers = [...CALLERS.keys()];
  const lines = [line('action', callers)];
  for (const [index, action] of ACTIONS.entries()) {
    const cells: string[] = [];
    for (const caller of callers) cells.push(await cell(caller, action, index));
    lines.push(line(action.name, cells));
  }
  assert.equal(`\n${lines.join('\n')}\n`, EXPECTED);
});

test('a password in the address is refused where a form is asked for, over HTTPS too', async () => {
  const { name, path, params } = account('auth', member);
  const [word] = await ask(
    world.service.secureOrigin,
    { name, path, params, inAddress: true },
    { partnerId: 'kit', ...params(world) },
  );
  assert.equal(word, 'insecure');
});

const LISTS = `
list   none  unknown  revoked  serial  folder  named  form  clear  right
m3u    404   404      404      404     404     404    404   200    200
xml    404   404      404      404     404     404    404   200    200
pls    404   404      404      404     404     404    404   200    200
xspf   404   404      404      404     404     404    404   200    200
opml   404   404      404      404     404     404    404   200    200
`;

const presetsPath = (token: string): string => `/lists/${token}/presets`;

test('presets are a list for whoever has its secret, and for nobody else', async () => {
  const { service, listTokens, ann, serial } = world;
  const { origin, secureOrigin } = service;
  const state = await world.state();
  const credentials = new URLSearchParams({ username: ann.username, password: ann.password }).toString();
  const callers = new Map<string, [address: string, method?: 'GET' | 'POST', query?: string]>([
    ['none', [`${secureOrigin}/lists/presets`]],
    ['unknown', [secureOrigin + presetsPath(`lwl_${'A'.repeat(32)}`)]],
    ['revoked', [secureOrigin + presetsPath(listTokens.revoked)]],
    ['serial', [secureOrigin + presetsPath(serial)]],
    ['folder', [secureOrigin + presetsPath(ann.folders[0])]],
    ['named', [secureOrigin + presetsPath(ann.username), 'GET', credentials]],
    ['form', [secureOrigin + presetsPath(listTokens.ann), 'POST']],
    ['clear', [origin + presetsPath(listTokens.ann)]],
    ['right', [secureOrigin + presetsPath(listTokens.ann)]],
  ]);
  const lines = [`list   ${[...callers.keys()].join('  ')}`];
  for (const format of ['m3u', 'xml', 'pls', 'xspf', 'opml']) {
    let line = format.padEnd(7);
    for (const [name, [address, method = 'GET', query = '']] of callers) {
      const response = await fetch(`${address}.${format}?${query}`, { method });
      const body = await response.text();
      line += String(response.status).padEnd(name.length + 2);
      if (response.status !== 200) assert.ok(!body.includes('hers'), `${name} was told a preset`);
      else if (format !== 'xml') assert.ok(body.includes('http://stream.example.net/hers'), body);
    }
    lines.push(line.trimEnd());
  }
  assert.equal(`\n${lines.join('\n')}\n`, LISTS);
  assert.equal(await world.state(), state, 'reading changes nothing');
});

const RADIO_PAGES = `
page        none    unknown  serial  named   clear   right
favourites  -       -        -       -       hers    hers
address     -       -        -       -       hers    hers
link        -       code     code    -       -       code
add         -       -        -       -       saved   -
remove      -       -        -       -       gone    -
`;

const radioPath = (file: string, who: string): string =>
  `/setupapp/yamaha/asp/browsexml/${file}&dlang=eng&${who}`;

/** What a page of the vTuner protocol told or did; `-` is neither. */
async function outcomeOf(url: string, headers: Record<string, string>): Promise<string> {
  const was = await world.state();
  const response = await fetch(url, { headers });
  const body = await response.text();
  assert.equal(response.status, 200, url);
  const is = await world.state();
  if (was !== is) return is.length > was.length ? 'saved' : 'gone';
  return body.includes('stream.example.net/hers') ? 'hers' : /Code \w{8}/.test(body) ? 'code' : '-';
}

test('favourites of a radio of the vTuner kind are for whoever sends its mac, and nothing else of its account is', async () => {
  const { service, ann, serial, address } = world;
  const { origin, secureOrigin } = service;
  const mac = `mac=${'0a1b2c3d'.repeat(4)}`;
  const headers = { 'X-Forwarded-For': '198.51.99.1' };
  const shown = await (
    await fetch(secureOrigin + radioPath('navXML.asp?gofile=link', mac), { headers })
  ).text();
  const [, code = ''] = /Code (\w{8})/.exec(shown) ?? assert.fail(shown);
  const join: Action = { name: 'join', path: '/Account.ashx', params: () => ({}) };
  const credentials = { partnerId: 'kit', username: ann.username, password: ann.password };
  const [word, body] = await ask(secureOrigin, join, { ...credentials, c: 'join', code });
  assert.equal(word, 'ok', body);
  const callers = new Map([
    ['none', secureOrigin],
    ['unknown', secureOrigin],
    ['serial', secureOrigin],
    ['named', secureOrigin],
    ['clear', origin],
    ['right', secureOrigin],
  ]);
  const named = new URLSearchParams({ username: ann.username, password: ann.password }).toString();
  const who: Readonly<Record<string, string>> = {
    none: 'x=1',
    unknown: `mac=${'f'.repeat(32)}`,
    serial: `mac=${serial}`,
    named,
    clear: mac,
    right: mac,
  };
  const pages: readonly [string, string][] = [
    ['favourites', 'FavXML.asp?empty='],
    ['address', `statxml.asp?id=U${address}`],
    ['link', 'navXML.asp?gofile=link'],
    ['add', 'AddFav.asp?stationid=LW5'],
    ['remove', 'RemoveFavs.asp?ID=LW5'],
  ];
  const lines = [
    `page        ${[...callers.keys()].map((name) => name.padEnd(Math.max(8, name.length + 2))).join('')}`.trimEnd(),
  ];
  for (const [name, file] of pages) {
    let line = name.padEnd(12);
    for (const [caller, host] of callers)
      line += (await outcomeOf(host + radioPath(file, who[caller] ?? ''), headers)).padEnd(
        Math.max(8, caller.length + 2),
      );
    lines.push(line.trimEnd());
  }
  assert.equal(`\n${lines.join('\n')}\n`, RADIO_PAGES);
});
