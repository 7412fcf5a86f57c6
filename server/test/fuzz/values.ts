import type { Dice } from './dice.ts';

/** Ids of items that are there, as they are written on the wire. */
export type KnownIds = readonly string[];

/** What each page knows; any may be asked of any. */
export const CLASSIFIERS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    browse:
      'index local music talk sports world r0 lang podcast presets schedule topics playlist popular trending best recent index,best',
    tune: 'ebrowse pbrowse sbrowse',
    describe: 'nowplaying composite countries languages locales formats genres',
    account: 'auth create join drop query',
    preset: 'add remove addFolder removeFolder renameFolder listFolders',
    report: 'wizard feedback stream timelist',
    config: 'time contentQuery streamSampleQuery api time,contentquery',
    search: 'stream song artist song,artist',
    none: 'constructor __proto__ toString station show',
  }).map(([page, words]) => [page, words.split(' ')]),
);
const ALL_CLASSIFIERS = [...CLASSIFIERS.values()].flat();

const FORMATS = 'mp3 aac ogg hls wma flash real html wmpro wmvoice wmvideo qt flac opus wav xyz'.split(' ');
const TEXTS = [
  'jazz',
  'news',
  'harbour folk',
  'Böhse',
  '電台',
  'رادیو',
  '%',
  '_',
  "'",
  '"',
  '\\',
  'a b  c',
  'AC/DC',
  '*',
  '97.9',
];

function idText(dice: Dice, ids: KnownIds): string {
  if (dice.chance(0.6)) return dice.pick(ids);
  return `${'sptgcralnfuemxSP'.charAt(dice.below(16))}${numberText(dice)}`;
}

const numberText = (dice: Dice): string =>
  dice.chance(0.5)
    ? String(dice.below(200))
    : dice.pick([
        '0',
        '-1',
        '1e3',
        '007',
        '2147483648',
        '9007199254740991',
        '9007199254740993',
        '9223372036854775808',
        '1.5',
        ' 1',
        '٣',
        '',
      ]);

const dayText = (dice: Dice): string =>
  dice.pick(['20261114', '20261115', '20261117', '20260230', '00000000', '99991231', '2026-11-14', 'x']);
const flagText = (dice: Dice): string => dice.pick(['true', 'false', '1', '0', 'TRUE', 'maybe', '']);
const listText = (dice: Dice, words: readonly string[]): string =>
  Array.from({ length: 1 + dice.below(4) }, () => dice.pick(words)).join(dice.pick([',', ',,', ', ']));

function filterText(dice: Dice, ids: KnownIds): string {
  const tokens = [
    's',
    'p',
    'popular',
    'topvoted',
    'topclick',
    'random',
    'bit64*',
    'bit128-',
    'up-*',
    '~A',
    'country',
    'topic',
    'x',
    'l1',
    ':',
  ];
  return Array.from({ length: 1 + dice.below(3) }, () =>
    dice.chance(0.3) ? dice.pick(ids) : dice.pick(tokens),
  ).join(':');
}

/** Names, each with what it usually holds. */
export const VALUES: Readonly<Record<string, (dice: Dice, ids: KnownIds) => string>> = {
  c: (dice) => dice.pick(ALL_CLASSIFIERS),
  id: idText,
  sid: idText,
  guide_id: idText,
  folderId: idText,
  stationId: (dice, ids) => idText(dice, ids).slice(dice.below(2)),
  countryId: idText,
  filter: filterText,
  pivot: (dice) => dice.pick(['name', 'genre', 'country', 'location', 'name:a', '']),
  offset: numberText,
  limit: numberText,
  presetNumber: numberText,
  start: dayText,
  stop: dayText,
  forward: flagText,
  live: flagText,
  flatten: flagText,
  exact: flagText,
  autodetect: flagText,
  detail: (dice) =>
    listText(dice, [
      'affiliate',
      'genre',
      'recommendation',
      'listing',
      'options',
      'schedules',
      'genres',
      'affiliates',
      'recommendations',
    ]),
  options: (dice) => dice.pick(['recurse:tuneShows', 'recurse', 'tuneShows', ':', 'recurse:tuneShows,x:y']),
  query: (dice) => dice.pick(TEXTS),
  call: (dice) => dice.pick(TEXTS),
  name: (dice) => dice.pick(TEXTS),
  title: (dice) => dice.pick(TEXTS),
  text: (dice) => dice.pick(TEXTS),
  artist: (dice) => dice.pick(TEXTS),
  types: (dice) => listText(dice, ['station', 'show', 'topic', 'artist']),
  type: (dice) => dice.pick(['station', 'favorite', 'show']),
  partnerId: (dice) => dice.pick(['demo', '15', '!EALLOjB', 'nobody']),
  username: (dice) => dice.pick(['ann', 'Ann', 'nobody', 'linnproducts']),
  password: (dice) => dice.pick(['secret', 'p&=?']),
  serial: (dice) => dice.pick(['00-0E-58-11:4', 'aa:bb:cc', 'd41d8cd98f00b204e9800998ecf8427e']),
  formats: (dice) => listText(dice, FORMATS),
  locale: (dice) =>
    dice.pick(['de', 'en-US', 'en_GB', 'enGB', 'ja', 'xx', 'zh-Hant-TW', 'pt-BR', '-', 'de-']),
  lang: (dice) => dice.pick(['de-de', 'fr', '?']),
  latlon: (dice) =>
    dice.pick([
      '51.9,-8.47',
      '0,0',
      '90,180',
      '-90,-180',
      '91,0',
      '1e3,5',
      'NaN,NaN',
      '52.5',
      '52.5,13.4,1',
      ' 52.5 , 13.4 ',
    ]),
  render: (dice) => dice.pick(['json', 'JSON', 'xml', 'm3u', 'm3u8', 'pls', 'xspf', 'html', 'constructor']),
  callback: (dice) =>
    dice.pick(['cb', 'RadioTime._loader.requests.r123.init', '$', 'a.b', 'alert(1)//', 'a;b', '1a']),
  playlists: (dice) => dice.pick(['none', 'all']),
  url: (dice) => dice.pick(['http://a.example/', 'javascript:alert(1)', 'file:///etc/passwd', '//x']),
  streamUrl: (dice) => dice.pick(['http://a.example/', 'x']),
  error: numberText,
  answer: (dice) => dice.pick(['silent', 'silent,nothing', 'unfit', 'details,logo', 'constructor', ',']),
  time1: (dice) => dice.pick(['95|0|0', '5', '|', '1e9|0|0', '99999999|0|0']),
  message: (dice) => dice.pick(TEXTS),
  email: (dice) => dice.pick(['a@b.example', 'x', "'@'"]),
  postalCode: (dice) => dice.pick(['90210', 'K1A 0B1', 'x']),
  city: (dice) => dice.pick(['Cork', 'São Paulo', '']),
  'a[0]': (dice) => dice.pick(TEXTS),
  'r[0]': numberText,
  listenId: numberText,
  itemUrlScheme: () => 'secure',
  version: numberText,
  mode: (dice) => dice.pick(TEXTS),
};
