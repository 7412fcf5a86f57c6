import assert from 'node:assert/strict';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { OWN_PAGE, registrationOf, SITE_PASSWORD } from '../../../apps/site-app.ts';

type Form = Readonly<Record<string, string>>;

/** Somebody whom nobody asked for before: each try has its own, so that none sees what another wrote. */
export class Newcomer {
  readonly #app: FastifyInstance;
  readonly name: string;
  readonly serial: string;
  /** Each from a home of its own, so that what an address may do is never used up. */
  readonly address: string;
  /** Listeners of one station are counted together. */
  readonly station: string;
  cookie = '';

  constructor(app: FastifyInstance, number: number, stations: readonly string[]) {
    this.#app = app;
    this.name = `new${number}`;
    this.serial = `serial-${number}`;
    this.station = stations[number % stations.length]!;
    this.address = `203.0.${number >> 8}.${number & 255}`;
  }

  /** While nothing fails. */
  async does(request: InjectOptions): Promise<LightMyRequestResponse> {
    const answer = await this.#app.inject(this.from(request));
    assert.ok(answer.statusCode < 300 && !/fault_code/.test(answer.body), `${this.name}: ${answer.body}`);
    const set = answer.headers['set-cookie'];
    if (typeof set === 'string') this.cookie = set.split(';', 1)[0] ?? '';
    return answer;
  }

  /** The request as it comes from there. */
  from(request: InjectOptions): InjectOptions {
    return { ...request, headers: { ...request.headers, 'x-forwarded-for': this.address } };
  }

  get login(): Form {
    return { username: this.name, password: PASSWORD };
  }
}

export interface AnomalyRequest {
  name: string;
  /** What it reads is kept for everybody, so that only a service which was just started asks for it. */
  isForAll?: boolean;
  /** It is refused though nothing fails. */
  isRefused?: boolean;
  /** What its sender does next who was told that nobody knows whether it was done; sends it again unless told. */
  next?: (who: Newcomer) => InjectOptions;
  /** Brings about what it needs, then gives the request. */
  prepare: (who: Newcomer) => InjectOptions | Promise<InjectOptions>;
}

const PASSWORD = 'Secret1!';
const SECURE = { host: 'radio.test', 'x-forwarded-proto': 'https' };

const get = (url: string): InjectOptions => ({ url, headers: SECURE });
const post = (page: string, fields: Form): InjectOptions => ({
  method: 'POST',
  url: `/${page}.ashx`,
  headers: { ...SECURE, 'content-type': 'application/x-www-form-urlencoded' },
  payload: new URLSearchParams({ partnerId: 'maker', ...fields }).toString(),
});
const site = (
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  path: string,
  who: Newcomer,
  body?: object,
): InjectOptions => ({
  method,
  url: `/listen/api/${path}`,
  headers: { ...SECURE, ...(method !== 'GET' && OWN_PAGE), ...(who.cookie && { cookie: who.cookie }) },
  ...(body && { payload: JSON.stringify(body) }),
});

const create = ({ name }: Newcomer): InjectOptions =>
  post('Account', {
    c: 'create',
    username: name,
    password: PASSWORD,
    email: `${name}@mail.example`,
    postalCode: '90210',
  });

const reads = (url: string): AnomalyRequest => ({
  name: url,
  isForAll: true,
  prepare: () => get(url),
});

/** Of a device that has saved something, or of an account that exists. */
const ofDevice = (name: string, request: (who: Newcomer) => InjectOptions): AnomalyRequest => ({
  name,
  async prepare(who) {
    await who.does(post('Preset', { c: 'add', id: 's2', serial: who.serial }));
    return request(who);
  },
});
const ofAccount = (name: string, request: (who: Newcomer) => InjectOptions): AnomalyRequest => ({
  name,
  async prepare(who) {
    await who.does(create(who));
    return request(who);
  },
});
const ofMember = (
  name: string,
  request: (who: Newcomer) => InjectOptions | Promise<InjectOptions>,
): AnomalyRequest => ({
  name,
  async prepare(who) {
    await who.does(site('POST', 'register', who, registrationOf(who.name)));
    return request(who);
  },
});

const folderOf = async (who: Newcomer): Promise<string> => {
  const { body } = await who.does(site('POST', 'folders', who, { name: 'Evenings' }));
  return String(JSON.parse(body).id ?? JSON.parse(body).folder?.id);
};

/** Every kind of call that radios, apps and the site make. */
export const requests = (stationKey: string): AnomalyRequest[] => [
  reads('/Browse.ashx'),
  reads('/Browse.ashx?id=s1'),
  reads('/Browse.ashx?c=local&username=Ann&partnerId=maker'),
  reads('/Browse.ashx?c=podcast'),
  reads('/Browse.ashx?c=schedule&id=s1&username=Ann&partnerId=maker'),
  reads('/Browse.ashx?c=topics&id=p101'),
  reads('/Browse.ashx?id=s424242'),
  reads('/Browse.ashx?c=presets&partnerId=maker&username=Ann'),
  reads('/Search.ashx?query=harbour'),
  reads('/Search.ashx?query=evening&filter=p&render=json'),
  reads('/Tune.ashx?id=s1'),
  reads(`/Tune.ashx?id=t${1024 + 101}`),
  reads('/Tune.ashx?c=pbrowse&id=p101'),
  reads('/Tune.ashx?id=s424242&render=json'),
  reads('/Describe.ashx?id=s1'),
  reads('/Describe.ashx?id=p101'),
  reads('/Describe.ashx?c=nowplaying&id=s1'),
  reads('/Options.ashx?id=s424242'),
  reads('/Config.ashx?c=time'),
  reads('/logos/s1q.png'),
  reads('/json/stations/byname/harbour'),
  reads('/json/stations/search?tag=jazz'),
  ofDevice('presets by serial', ({ serial }) =>
    get(`/Browse.ashx?c=presets&partnerId=maker&serial=${serial}`),
  ),
  {
    name: 'the first preset of a device',
    prepare: ({ serial }) => post('Preset', { c: 'add', id: 's1', serial }),
  },
  ofDevice('another preset of a device', ({ serial }) => post('Preset', { c: 'add', id: 's3', serial })),
  ofDevice('a preset of a device by an alias, to a place', ({ serial }) =>
    post('Preset', { c: 'add', id: 's424242', serial, presetNumber: '1' }),
  ),
  ofDevice('an address as a preset', ({ serial }) =>
    post('Preset', { c: 'add', url: 'http://stream.example.net/mine', name: 'Mine', serial }),
  ),
  ofDevice('a preset removed', ({ serial }) => post('Preset', { c: 'remove', id: 's2', serial })),
  ofDevice('a folder made', ({ serial }) => post('Preset', { c: 'addFolder', name: 'Evenings', serial })),
  ofDevice('folders', ({ serial }) => post('Preset', { c: 'listFolders', serial })),
  { name: 'an account made', prepare: (who) => create(who) },
  ofAccount('an account signed in to', ({ login }) => post('Account', { c: 'auth', ...login })),
  {
    ...ofAccount('a wrong password', ({ login }) =>
      post('Account', { c: 'auth', ...login, password: 'Wrong1!' }),
    ),
    isRefused: true,
  },
  ofAccount('a preset by name', ({ login }) => post('Preset', { c: 'add', id: 's1', ...login })),
  ofAccount('a device joined', ({ login, serial }) => post('Account', { c: 'join', ...login, serial })),
  {
    name: 'a device with presets joined',
    async prepare(who) {
      await who.does(post('Preset', { c: 'add', id: 's2', serial: who.serial }));
      await who.does(create(who));
      return post('Account', { c: 'join', ...who.login, serial: who.serial });
    },
  },
  {
    name: 'a device dropped',
    async prepare(who) {
      await who.does(create(who));
      await who.does(post('Account', { c: 'join', ...who.login, serial: who.serial }));
      return post('Account', { c: 'drop', ...who.login, serial: who.serial });
    },
  },
  {
    ...ofDevice('a device asked about that nobody joined', ({ serial }) =>
      post('Account', { c: 'query', serial }),
    ),
    isRefused: true,
  },
  { name: 'a code for a device', prepare: ({ serial }) => post('Account', { c: 'claim', serial }) },
  {
    name: 'a report',
    prepare: ({ serial, station, name }) =>
      post('Report', { c: 'feedback', id: station, text: `silent, says ${name}`, serial }),
  },
  {
    name: 'a dead stream',
    prepare: ({ serial, station }) => post('Report', { c: 'stream', id: station, error: '1', serial }),
  },
  {
    name: 'a song told by its station',
    prepare: ({ name }) => post('Playing', { partnerKey: stationKey, id: 's1', title: name, artist: 'Ann' }),
  },
  {
    name: 'site: register',
    prepare: (who) => site('POST', 'register', who, registrationOf(who.name)),
    next: (who) => site('POST', 'sign-in', who, { username: who.name, password: SITE_PASSWORD }),
  },
  ofMember('site: sign in', (who) =>
    site('POST', 'sign-in', who, { username: who.name, password: SITE_PASSWORD }),
  ),
  ofMember('site: who is signed in', (who) => site('GET', 'session', who)),
  ofMember('site: sign out', (who) => site('POST', 'sign-out', who)),
  ofMember('site: presets', (who) => site('GET', 'presets', who)),
  ofMember('site: a preset', (who) => site('POST', 'presets', who, { guideId: 's1' })),
  ofMember('site: a folder', (who) => site('POST', 'folders', who, { name: 'Evenings' })),
  ofMember('site: a folder removed', async (who) => site('DELETE', `folders/${await folderOf(who)}`, who)),
  ofMember('site: a list brought', (who) => site('POST', 'presets/merge', who, { guideIds: ['s1', 's2'] })),
  ofMember('site: another e-mail address', (who) =>
    site('PATCH', 'me', who, { email: `${who.name}@other.example`, currentPassword: SITE_PASSWORD }),
  ),
  ofMember('site: a password for radios', (who) => site('POST', 'me/device-password', who, {})),
  {
    ...ofMember('site: a password for an app', (who) => site('POST', 'apps', who, { app: 'Phone' })),
    // Each is another one, shown once: its owner looks at the list, and ends what nobody saw.
    next: (who) => site('GET', 'apps', who),
  },
  ofMember('site: the account closed', (who) => site('DELETE', 'me', who, { password: SITE_PASSWORD })),
  { name: 'site: stations', isForAll: true, prepare: (who) => site('GET', 'stations?q=harbour', who) },
  { name: 'site: places', isForAll: true, prepare: (who) => site('GET', 'places?text=Hamb', who) },
  { name: 'site: episodes', isForAll: true, prepare: (who) => site('GET', 'episodes?shows=p101', who) },
];
