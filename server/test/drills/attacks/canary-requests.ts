import { randomBytes } from 'node:crypto';
import type { CanarySecrets } from './canary-secrets.ts';

export const PARTNER = 'canary';

/** A request as bytes would say it; the one who sends it adds nothing. */
export interface CanaryRequest {
  /** By HTTPS unless told. */
  plain?: boolean;
  method?: string;
  target: string;
  headers?: Record<string, string>;
  body?: string;
}

type Form = Record<string, string>;

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const encode = (form: Form): string => new URLSearchParams({ partnerId: PARTNER, ...form }).toString();
let homes = 0;
/** Each from an address of its own, so that what an address may do does not end the song. */
const account = (form: Form): CanaryRequest => ({
  method: 'POST',
  target: '/Account.ashx',
  headers: { ...FORM, 'x-forwarded-for': `203.0.${(homes += 1) % 250}.1` },
  body: encode(form),
});
const preset = (form: Form): CanaryRequest => ({ target: `/Preset.ashx?${encode(form)}` });

/** The life of an account and its device, with everything that can go wrong in it. */
export function accountLife(secrets: CanarySecrets): CanaryRequest[] {
  const me = { username: `c${randomBytes(4).toString('hex')}`, password: secrets.password() };
  const email = secrets.email();
  const serial = secrets.serial();
  const home = { postalCode: '10001' };
  const other = (form: Form): Form => ({ ...home, username: `d${randomBytes(4).toString('hex')}`, ...form });
  return [
    preset({ c: 'add', id: 's1', serial }),
    account({ c: 'create', ...me, email, ...home }),
    account({ c: 'create', ...me, email, ...home }),
    account({ c: 'create', ...me, password: secrets.password(), email: secrets.email(), ...home }),
    account({ c: 'create', ...other({ password: secrets.password(), email }) }),
    account({
      c: 'create',
      ...other({ password: `${secrets.password()} far too long`, email: secrets.email() }),
    }),
    account({ c: 'create', ...other({ password: secrets.password(), email: `@${secrets.email()}@` }) }),
    account({
      c: 'create',
      ...other({ password: secrets.password(), email: secrets.email(), username: '!' }),
    }),
    account({
      c: 'create',
      ...other({ password: secrets.password(), email: secrets.email(), serial: secrets.serial() }),
    }),
    account({ c: 'auth', ...me }),
    account({ c: 'auth', ...me, password: secrets.password() }),
    account({ c: 'auth', username: 'nobody', password: secrets.password() }),
    account({ c: 'join', ...me, serial }),
    account({ c: 'join', ...me, serial: secrets.serial() }),
    account({ c: 'join', ...me, password: secrets.password(), serial }),
    account({ c: 'query', serial }),
    account({ c: 'query', serial: secrets.serial() }),
    account({ c: 'claim', serial }),
    account({ c: 'remind', email }),
    account({ c: 'remind', email: secrets.email() }),
    account({ c: 'reset', email }),
    account({ c: 'reset', username: me.username }),
    ...presetCalls({ serial }),
    ...presetCalls(me),
    ...presetCalls({ ...me, password: secrets.password() }),
    account({ c: 'drop', ...me, serial: secrets.serial() }),
    account({ c: 'drop', ...me, serial }),
    account({ c: 'drop', serial: secrets.serial() }),
  ];
}

const presetCalls = (who: Form): CanaryRequest[] => [
  preset({ ...who, c: 'add', id: 's1' }),
  preset({ ...who, c: 'add', url: 'http://stream.example.net/mine.mp3', presetNumber: '3' }),
  preset({ ...who, c: 'add', id: 's99999999999999999999' }),
  preset({ ...who, c: 'add', id: 's1', presetNumber: '-1' }),
  preset({ ...who, c: 'add', id: 's1', folderId: 'f1' }),
  preset({ ...who, c: 'add', url: 'ftp://stream.example.net/' }),
  preset({ ...who, c: 'addFolder', name: 'Evenings' }),
  preset({ ...who, c: 'addFolder', name: 'x'.repeat(200) }),
  preset({ ...who, c: 'listFolders' }),
  preset({ ...who, c: 'renameFolder', name: 'Nights', folderId: 'f1' }),
  preset({ ...who, c: 'removeFolder', folderId: 'f1' }),
  preset({ ...who, c: 'remove', id: 's1' }),
  { target: `/Browse.ashx?${encode({ ...who, c: 'presets' })}` },
];

const hook = (key: string, body: string): CanaryRequest => ({
  method: 'POST',
  target: '/air/azuracast/s1',
  headers: {
    'content-type': 'application/json',
    authorization: `Basic ${Buffer.from(`studio:${key}`).toString('base64')}`,
  },
  body,
});

/** What studios send, by every way there is, with keys that open and keys that do not. */
export function studioCalls(secrets: CanarySecrets, stationKey: string): CanaryRequest[] {
  const song = { id: 's1', title: 'Quay', artist: 'Ann' };
  const push = (form: Form): CanaryRequest => ({ target: `/Playing.ashx?${encode({ ...song, ...form })}` });
  const body = encode({ ...song, partnerKey: stationKey });
  return [
    push({ partnerKey: stationKey }),
    { ...push({ partnerKey: stationKey }), plain: true },
    { method: 'POST', target: '/Playing.ashx', headers: FORM, body },
    push({ partnerKey: stationKey, title: '' }),
    push({ partnerKey: stationKey, commercial: 'maybe' }),
    push({ partnerKey: secrets.stationKey() }),
    push({ partnerKey: secrets.stationKey(), id: 's99999' }),
    push({ partnerKey: secrets.stationKey(), partnerId: 'nobody' }),
    { target: `${push({ partnerKey: stationKey }).target}&partnerKey=${secrets.stationKey()}` },
    hook(stationKey, '{"station":{},"now_playing":{"song":{"title":"Quay"}}}'),
    hook(stationKey, '{'),
    hook(secrets.stationKey(), '{}'),
    { target: `/listen/api/playing?ids=s99999&partnerKey=${secrets.stationKey()}` },
    ...PATHS.map((path) => ({ target: `${path}&partnerKey=${secrets.stationKey()}` })),
  ];
}

const PATHS = [
  '/Browse.ashx?c=presets',
  '/Browse.ashx?c=local',
  '/Tune.ashx?id=s1',
  '/Tune.ashx?id=u1',
  '/Describe.ashx?id=s1',
  '/Search.ashx?query=folk',
  '/Report.ashx?c=feedback&id=s1&text=no',
  '/Options.ashx?id=s1',
  '/Config.ashx?c=time',
  '/Preset.ashx?c=add&id=s1',
  '/Account.ashx?c=auth',
  '/Account.ashx?c=create',
  '/Account.ashx?c=join',
  '/Authenticate.ashx?x=1',
  '/favorites.ashx?c=add&id=s1',
  '/Nothing.ashx?x=1',
];

/** Everything that can be asked, by everyone who must not be heard, with parameters spoilt in every way. */
export function everywhere(secrets: CanarySecrets): CanaryRequest[] {
  const whole = (): string =>
    encode({
      username: 'someone',
      password: secrets.password(),
      serial: secrets.serial(),
      email: secrets.email(),
    });
  const spoilt = ['&password=other', '&id=%00', '&c=%zz', `&callback=${secrets.password()}!&render=json`];
  const strange = [
    `&latlon=${secrets.password()}`,
    `&presetNumber=${secrets.password()}`,
    `&c=${secrets.password()}`,
  ];
  return [
    ...PATHS.map((path) => ({ target: `${path}&${whole()}` })),
    ...PATHS.map((path) => ({ target: `${path}&${whole()}`, plain: true })),
    ...[...spoilt, ...strange].map((more) => ({ target: `/Preset.ashx?${whole()}${more}` })),
    ...[...spoilt, ...strange].map((more) => ({ target: `/Browse.ashx?${whole()}${more}`, plain: true })),
    { target: `/nothing/${secrets.password()}?${whole()}` },
    { target: `/%zz${secrets.password()}` },
    { method: 'PUT', target: `/Account.ashx?${whole()}` },
    ...junkForms(whole, secrets),
    { target: '/Account.ashx?c=auth', headers: loudHeaders(secrets) },
  ];
}

const junkForms = (whole: () => string, secrets: CanarySecrets): CanaryRequest[] =>
  [
    { type: 'application/json', body: JSON.stringify({ password: secrets.password() }) },
    { type: 'application/json', body: `{"password":"${secrets.password()}` },
    { type: 'multipart/form-data; boundary=x', body: `--x\r\n\r\n${secrets.password()}\r\n--x--` },
    { type: secrets.password(), body: whole() },
    { type: FORM['content-type'], body: `${whole()}&password=%zz` },
    { type: FORM['content-type'], body: `${whole()}&text=${'x'.repeat(40_000)}` },
    { type: FORM['content-type'], body: `${whole()}&${'a=1&'.repeat(100)}` },
  ].map(({ type, body }) => ({
    method: 'POST',
    target: '/Account.ashx?c=create',
    headers: { 'content-type': type },
    body,
  }));

const loudHeaders = (secrets: CanarySecrets): Record<string, string> => ({
  authorization: `Basic ${secrets.password()}`,
  cookie: `serial=${secrets.serial()}`,
  referer: `http://page.example/?email=${secrets.email()}`,
  'x-forwarded-for': secrets.password(),
  'user-agent': secrets.password(),
  'accept-language': secrets.password(),
});

/** More sign-ins at once than are hashed. */
export const rush = (secrets: CanarySecrets): CanaryRequest[] =>
  Array.from({ length: 60 }, (_, index) =>
    account({ c: 'auth', username: `rush${index}`, password: secrets.password() }),
  );
