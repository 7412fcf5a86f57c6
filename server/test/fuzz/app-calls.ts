import { hash } from 'node:crypto';
import type { FuzzCall } from './calls.ts';
import type { Dice } from './dice.ts';
import { REQUEST_TOKENS, sendable } from './list-calls.ts';
import { mutated } from './mutate.ts';

/** Somebody who may call, and what they may call with. */
export interface FuzzCaller {
  name: string;
  password: string;
  /** Of an earlier answer. */
  cookie: string;
}

const words = (text: string): readonly string[] => text.split(' ');
const PLACES = words(
  'api/2/auth api/2/devices api/2/subscriptions api/2/subscriptions api/2/episodes api/2/episodes api/2/favorites api/2/suggestions api/2/tags api/2/tag api/2/data subscriptions subscriptions suggestions toplist search clientconfig api/2/nothing',
);
const DEVICES = words('phone pc login logout folk 10 podcast episode 電台 a.b.c constructor __proto__ %2F');
const FORMATS = words('json json json json txt opml exe JSON');
const FEEDS = [
  ...words(
    'https://feeds.example.net/p101.xml http://feeds.example.net/p102.xml/ https://feeds.example.net/p103.xml https://elsewhere.example.org/feed http://10.0.0.1/feed ftp://x.example/ https://a:b@x.example/ x http:// https://电台.example/ 電台',
  ),
  '',
  ' https://feeds.example.net/p104.xml ',
  `https://x.example/${'y'.repeat(3000)}`,
  'https://x.example/\u0000',
  'https://x.example/\ud800',
];
const VALUES: readonly unknown[] = [
  null,
  5,
  -1,
  1e300,
  true,
  [],
  {},
  [[]],
  '',
  'x',
  '\u0000',
  '\ud83d',
  { add: 1 },
  2 ** 40,
];
const TIMES = [
  '2026-04-02T10:00:00',
  '2026-04-02T10:00:00Z',
  '+275760-09-13T00:00:00Z',
  '0000-01-01',
  'x',
  '2026-13-01T00:00:00',
];

function withLogin(dice: Dice, { name, password, cookie }: FuzzCaller): Record<string, string> {
  if (dice.chance(0.2)) return { cookie };
  const secret = dice.chance(0.02) ? dice.pick([`${password}x`, '', ':', '\u0000']) : password;
  const pair = Buffer.from(`${dice.chance(0.1) ? name.toUpperCase() : name}:${secret}`).toString('base64');
  return dice.chance(0.05) ? {} : { authorization: `Basic ${dice.chance(0.02) ? '' : pair}` };
}

const feeds = (dice: Dice): string[] => Array.from({ length: dice.below(5) }, () => dice.pick(FEEDS));

function action(dice: Dice): unknown {
  const value = (usual: unknown): unknown => (dice.chance(0.1) ? dice.pick(VALUES) : usual);
  return value({
    podcast: value(dice.pick(FEEDS)),
    episode: value(dice.pick(FEEDS)),
    action: value(dice.pick(words('play download delete new flattr Play eat'))),
    device: value(dice.pick(DEVICES)),
    timestamp: value(dice.pick(TIMES)),
    started: value(0),
    position: value(dice.below(600)),
    total: value(600),
  });
}

function gpodderBody(dice: Dice, place: string, format: string): string {
  if (place === 'subscriptions' && format === 'txt') return feeds(dice).join('\n');
  if (place === 'subscriptions' && format === 'opml')
    return `<opml><body>${feeds(dice)
      .map((feed) => `<outline text="x" xmlUrl="${feed.replaceAll('&', '&amp;')}"/>`)
      .join('')}</body></opml>`;
  const usual =
    place === 'api/2/episodes'
      ? Array.from({ length: dice.below(4) }, () => action(dice))
      : place === 'subscriptions'
        ? feeds(dice)
        : place === 'api/2/devices'
          ? {
              caption: dice.pick([...DEVICES, ...VALUES]),
              type: dice.pick(words('mobile desktop other toaster')),
            }
          : { add: feeds(dice), remove: feeds(dice) };
  return JSON.stringify(dice.chance(0.1) ? dice.pick(VALUES) : usual) ?? '';
}

/** A request of a podcast app, mostly one that makes sense, with something done to it every third time. */
export function gpodderCall(dice: Dice, caller: FuzzCaller): FuzzCall {
  const place = dice.pick(PLACES);
  const format = dice.pick(FORMATS);
  const isNamed = dice.chance(0.95);
  const names = [isNamed ? caller.name : dice.pick(DEVICES), dice.pick(DEVICES)].slice(0, 1 + dice.below(2));
  const numbered = /tags|suggest|toplist/.test(place) ? [dice.pick(words('1 10 100 0 -1 x'))] : names;
  const path = /search|clientconfig/.test(place) ? place : `${place}/${numbered.join('/')}`;
  const query = dice.chance(0.4)
    ? `?${dice.pick(words('since q url podcast device aggregated'))}=${encodeURIComponent(dice.pick([...words('0 1 1775116800 -5 1e400 NaN true evening'), ...FEEDS.slice(0, 8)]))}`
    : '';
  const method = dice.pick(['GET', 'GET', 'POST', 'PUT', 'HEAD'] as const);
  const hasBody = method === 'POST' || method === 'PUT';
  const text = Buffer.from(gpodderBody(dice, place, format));
  const form = hasBody
    ? (dice.chance(0.2) ? mutated(text, dice, REQUEST_TOKENS) : text).toString('latin1')
    : undefined;
  const target = `/${path}.${format}${query}`;
  const sent = dice.chance(0.15)
    ? mutated(Buffer.from(target), dice, REQUEST_TOKENS).toString('latin1')
    : target;
  const types = words('application/json application/x-www-form-urlencoded text/plain x');
  const headers = {
    ...withLogin(dice, caller),
    ...(hasBody && dice.chance(0.8) && { 'content-type': dice.pick(types) }),
  };
  return { method, target: sendable(sent), form, headers };
}

const METHODS = words(
  'ping getUser getInternetRadioStations createInternetRadioStation updateInternetRadioStation deleteInternetRadioStation getPodcasts getNewestPodcasts getPodcastEpisode createPodcastChannel deletePodcastChannel stream getCoverArt getIndexes getArtists getArtist getMusicDirectory getAlbum getSong getAlbumList getAlbumList2 search2 search3 getStarred2 star unstar getPlaylists getPlaylist getGenres getSongsByGenre getOpenSubsonicExtensions scrobble nothing constructor',
);
const IDS = [
  ...words(
    's1 s2 s999999 p101 p102 p122 t1 t103525 u3079 f1031 g1 g2 r0 r1 l1 n1 root languages 1 -1 x feed-x S1 1e9',
  ),
  '',
  's99999999999999999999',
  '../x',
  '電台',
];
const NUMBERS = words('0 1 5 500 501 99999999999 -1 1e3 x');

/** A request of a music app, likewise. */
export function subsonicCall(dice: Dice, { name, password }: FuzzCaller): FuzzCall {
  const secret = dice.chance(0.02) ? dice.pick([`${password}x`, 'enc:zz', 'enc:ff', '\u0000']) : password;
  const token = hash('md5', `${secret}salt`, 'hex');
  const login = dice.pick<Record<string, string>>([
    { u: name, p: secret },
    { u: name, p: `enc:${Buffer.from(secret).toString('hex')}` },
    { u: name, t: token, s: 'salt' },
    { apiKey: secret },
  ]);
  const all: Record<string, string> = {
    ...(dice.chance(0.97) && login),
    f: dice.pick(words('json json xml jsonp yaml')),
    callback: dice.pick(words('a.b alert(1)')),
    ...(dice.chance(0.8) && { id: dice.pick(IDS) }),
    ...(dice.chance(0.2) && { albumId: dice.pick(IDS) }),
    ...(dice.chance(0.5) && { query: dice.pick(words('jazz evening s1 "" 電台 % * x')) }),
    ...(dice.chance(0.5) && {
      [dice.pick(words('songCount songOffset size offset count'))]: dice.pick(NUMBERS),
    }),
    ...(dice.chance(0.5) && { url: dice.pick(FEEDS) }),
    ...(dice.chance(0.5) && {
      streamUrl: dice.pick([...FEEDS, 'http://x.example/play/s2.mp3']),
      name: dice.pick(DEVICES),
    }),
    ...(dice.chance(0.3) && { genre: dice.pick(words('Jazz jazz folk x')) }),
  };
  const query = new URLSearchParams(
    Object.entries(all).map(([key, value]) => [key, value.toWellFormed()]),
  ).toString();
  const path = `/rest/${dice.pick(METHODS)}${dice.pick(['', '.view', '.VIEW', '/'])}`;
  if (dice.chance(0.2)) {
    const form = dice.chance(0.3)
      ? mutated(Buffer.from(query), dice, REQUEST_TOKENS).toString('latin1')
      : query;
    return {
      method: 'POST',
      target: sendable(path),
      form,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };
  }
  const target = `${path}?${query}`;
  const sent = dice.chance(0.2)
    ? mutated(Buffer.from(target), dice, REQUEST_TOKENS).toString('latin1')
    : target;
  return { method: dice.chance(0.05) ? 'HEAD' : 'GET', target: sendable(sent), form: undefined, headers: {} };
}
