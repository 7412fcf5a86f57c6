import type { IncomingHttpHeaders } from 'node:http';
import { type Call, fault, json, type Page, parseQuery, writeXml } from './small-call.ts';
import type { Sent } from './small-server.ts';
import { STREAM } from './small-stream.ts';

const LANGUAGE_WORDS: Record<string, string> = { ja: 'ローカル', de: 'Lokal' };

/** What a station says under its name; one of them plays a song. */
const heardOn = (id: string): [subtext: string, playing: string] =>
  id === 's2' ? ['Duo - First Light', ' playing="Duo - First Light"'] : ['Songs', ''];

export function station(call: Call, id: string): string {
  const [subtext, playing] = heardOn(id);
  return `<outline type="audio" text="Station ${id}" URL="${call.link(`/Tune.ashx?id=${id}`)}" bitrate="128" reliability="90" guide_id="${id}" subtext="${subtext}" genre_id="g1" formats="mp3,aac"${playing} item="station" image="http://radio.test/${id}q.png" now_playing_id="${id}" preset_id="${id}"/>`;
}
export const show = (call: Call): string =>
  `<outline type="link" text="Hearth Songs" URL="${call.link('/Tune.ashx?c=pbrowse&id=p1')}" guide_id="p1" subtext="Old songs" genre_id="g1" item="show" image="http://radio.test/p1q.png"/>`;
const topic = (call: Call): string =>
  `<outline type="audio" text="Winter" URL="${call.link('/Tune.ashx?id=t1&sid=p1')}" guide_id="t1" subtext="Friday" item="topic" image="http://radio.test/p1q.png"/>`;
export const link = (call: Call, text: string, path: string, more: string): string =>
  `<outline type="link" text="${text}" URL="${call.link(path)}" ${more}/>`;
const group = (text: string, key: string, lines: string[]): string[] => [
  `<outline text="${text}" key="${key}">`,
  ...lines,
  '</outline>',
];

const genreLink = (call: Call, filter = ''): string =>
  link(call, 'Folk', `/Browse.ashx?id=g1${filter}`, 'guide_id="g1"');

function details(call: Call): string[] {
  const wanted = (call.params.get('detail') ?? '').split(',').filter(Boolean);
  const all: [string, string[]][] = [
    ['genre', group('Genres', 'genres', [genreLink(call)])],
    ['recommendation', group('Similar', 'recommendations', [station(call, 's2')])],
    [
      'affiliate',
      group('Networks', 'affiliates', [link(call, 'Coast', '/Browse.ashx?id=a1', 'guide_id="a1"')]),
    ],
  ];
  const isPlain = wanted.length === 0;
  return all.filter(([name]) => isPlain || wanted.includes(name)).flatMap(([, lines]) => lines);
}

const index = (call: Call, headers: IncomingHttpHeaders): Page => {
  const [language = ''] = (call.params.get('locale') ?? headers['accept-language'] ?? 'en').split('-');
  const isNamed = call.params.has('username') || call.params.has('serial');
  const entry = (key: string, query: string): string =>
    link(
      call,
      key === 'local' ? (LANGUAGE_WORDS[language] ?? 'Local') : key,
      `/Browse.ashx?${query}`,
      `key="${key}"`,
    );
  const plain = ['local', 'talk', 'sports', 'music'].map((c) => entry(c, `c=${c}`));
  const more = [entry('location', 'id=r0'), entry('language', 'c=lang'), entry('podcast', 'c=podcast')];
  const mine = link(call, 'My Presets', isNamed ? '/Browse.ashx?c=presets' : '/register?', 'key="presets"');
  return { title: 'Browse', lines: [...plain, ...more, mine] };
};

const HOUR = 3_600_000;
const slotText = (time: number): string => new Date(time).toISOString().slice(0, 19);

const day = (text: string): number => Date.parse(text.replace(/(....)(..)(..)/, '$1-$2-$3'));

function schedule(call: Call): Page {
  if (call.id !== 's1') return call.id === '' ? fault(400, 'request.idInvalid', 'Give an id') : { lines: [] };
  const { params } = call;
  const isForward = params.get('forward') === 'true';
  const now = Date.now();
  if (!isForward && !/^\d{8}$/.test(params.get('start') ?? ''))
    return fault(400, 'request.invalid', 'yyyymmdd');
  const first = isForward ? now : day(params.get('start')!);
  const last = isForward ? now + 30 * HOUR : day(params.get('stop') ?? params.get('start')!) + 24 * HOUR;
  const to = Math.min(last, first + 72 * HOUR);
  const lines: string[] = [];
  for (let start = first - (first % (2 * HOUR)); start < to; start += 2 * HOUR) {
    if (isForward && start <= now && params.get('live') !== 'true') continue;
    const tz = params.has('username') ? ' tz="UTC"' : '';
    lines.push(
      link(
        call,
        'Hearth Songs',
        '/Tune.ashx?c=pbrowse&id=p1',
        `guide_id="p1" start="${slotText(start)}" duration="7200" image="http://radio.test/p1q.png"${tz}`,
      ),
    );
  }
  return { lines };
}

function presets(call: Call): Page {
  if (call.params.get('partnerid') !== 'kit') return fault(401, 'partner.required', 'Give a partnerId');
  if (!call.params.has('username') && !call.params.has('serial'))
    return fault(400, 'request.invalid', 'Give a username');
  if (!call.params.has('options'))
    return { lines: [station(call, 's1').replace('preset_id', 'preset_number="1" preset_id')] };
  return {
    lines: [
      '<outline type="container" text="General" guide_id="f1" is_default="true">',
      station(call, 's1'),
      '</outline>',
    ],
  };
}

/** Where the caller is known to be: by a coordinate, an account, or an address that a proxy names. */
const isPlaced = ({ params, forwardedFor }: Call): boolean =>
  params.has('latlon') || params.has('username') || forwardedFor === '81.2.69.142';

/** Stations around London, then those around Sydney. */
const near = (call: Call): string[] =>
  (call.params.get('latlon') ?? '').startsWith('-') ? ['s2', 's1'] : ['s1', 's2'];

const languageFilter = (call: Call): string =>
  call.params.has('filter') ? `#${call.params.get('filter')}` : '';

const world = (call: Call): Page => ({
  lines: [link(call, 'Europe', '/Browse.ashx?id=r1', 'guide_id="r1"')],
});

const BROWSE: Record<string, (call: Call) => Page> = {
  local: (call) =>
    isPlaced(call)
      ? {
          lines: group(
            'Stations',
            'stations',
            near(call).map((id) => station(call, id)),
          ),
        }
      : world(call),
  music: (call) => ({ title: 'Music', lines: [genreLink(call, languageFilter(call))] }),
  talk: (call) => ({ lines: [genreLink(call)] }),
  sports: (call) => ({ lines: [genreLink(call)] }),
  world,
  lang: (call) =>
    call.params.has('filter')
      ? {
          lines: [
            ...group('Stations', 'stations', [station(call, 's1')]),
            ...group('Shows', 'shows', [show(call)]),
            genreLink(call, languageFilter(call)),
          ],
        }
      : { lines: [link(call, 'English', '/Browse.ashx?c=lang#l1', 'guide_id="l1"')] },
  podcast: (call) => ({ lines: group('Music', 'shows', [show(call)]) }),
  topics: (call) => ({ lines: [topic(call)] }),
  playlist: () => ({
    lines: ['<outline type="text" text="First Light" subtext="Duo" start="2026-01-09T12:00:00" tz="UTC"/>'],
  }),
  schedule,
  presets,
};

/** The id of the one country that has a station. */
const IRELAND = 'n7';

const moreStations = (call: Call): string =>
  link(call, 'More Stations', '/Browse.ashx?offset=2&id=g1#s', 'key="nextStations"');
const moreShows = (call: Call): string =>
  link(call, 'More Shows', '/Browse.ashx?offset=1&id=g1#p', 'key="nextShows"');

/** Who names itself must be known; nobody must name itself. */
export const isKnown = ({ params }: Call): boolean => (params.get('partnerid') ?? 'kit') === 'kit';

/** Every stream here is MP3 or AAC. */
export const playable = ({ params }: Call): boolean =>
  !params.has('formats') || /mp3|aac/.test(params.get('formats') ?? '');

/** Ireland has a region, where its one station is; of the others nothing is known here. */
const country = (call: Call): Page => ({
  lines:
    call.id === IRELAND
      ? [link(call, 'Dublin', '/Browse.ashx?id=r3', 'guide_id="r3"')]
      : ['<outline type="text" text="No stations"/>'],
});

function browseId(call: Call): Page {
  const inIreland = call.params.get('filter') === IRELAND || call.id === 'r3';
  const ids = inIreland ? ['s1'] : ['s1', 's2'];
  const stations = playable(call) ? ids.map((id) => station(call, id)) : [];
  const shows = playable(call) ? [show(call), moreShows(call)] : [];
  if (call.id === 'r0') return world(call);
  if (call.id === 'r1') return { lines: [link(call, 'Ireland', '/Browse.ashx?id=r2', 'guide_id="r2"')] };
  if (call.id === 'r3') return { lines: group('Stations', 'stations', stations) };
  if (call.id === 'r2') return { lines: group('Stations', 'stations', stations) };
  if (call.id === 'a1') return { lines: group('Stations', 'stations', stations) };
  if (call.id.startsWith('n')) return country(call);
  if (call.params.has('offset')) return { lines: stations };
  if (call.params.get('filter') === 'p:topic') return { lines: playable(call) ? [topic(call)] : [] };
  if (call.id === 'g1')
    return {
      lines: [
        ...group('Stations', 'stations', [...stations, moreStations(call)]),
        ...(shows.length > 0 ? group('Shows', 'shows', shows) : []),
      ],
    };
  return call.id === 's1'
    ? { lines: details(call) }
    : fault(400, 'request.idInvalid', 'Invalid ID for browse');
}

const browse = (call: Call, headers: IncomingHttpHeaders): Page => {
  if (call.c === '') return call.id === '' ? index(call, headers) : browseId(call);
  const menu = Object.hasOwn(BROWSE, call.c) ? BROWSE[call.c] : undefined;
  return menu ? menu(call) : fault(400, '', 'Invalid root category');
};

const FORMATS = 'wma mp3 aac real flash html wmpro wmvoice wmvideo ogg qt'.split(' ');
const texts = (rows: [string, string][]): string[] =>
  rows.map(([text, id]) => `<outline type="text" text="${text}" guide_id="${id}"/>`);

const object = (kind: string, id: string, fields: string): string[] => [
  `<outline type="object" text="${id}">`,
  `<${kind}><guide_id>${id}</guide_id>${fields}</${kind}>`,
  '</outline>',
];

const PLACES: Record<string, string> = { s1: 'Dublin, Ireland', s2: 'Lyon, Country 8' };
const stationFields = (id: string): string =>
  `<name>Station ${id}</name><is_preset>false</is_preset><location>${PLACES[id]}</location><language>English</language>`;

function describe(call: Call): Page {
  if (call.c === 'countries')
    return {
      lines: texts(
        Array.from({ length: 200 }, (_, n) => [`n${n}` === IRELAND ? 'Ireland' : `Country ${n}`, `n${n}`]),
      ),
    };
  if (call.c === 'formats') return { lines: texts(FORMATS.map((format) => [format, format])) };
  if (call.c === 'genres') return { lines: texts([['Folk', 'g1']]) };
  if (call.c === 'nowplaying') return nowPlaying(call);
  if (call.c !== '') return fault(404, 'api.methodNotFound', 'Invalid method');
  const groups = call.params.has('detail') ? details(call) : [];
  if (call.id in PLACES) return { lines: [...object('station', call.id, stationFields(call.id)), ...groups] };
  if (call.id === 'p1') {
    const fields = '<is_preset>false</is_preset><language>English</language><genre_name>Folk</genre_name>';
    return { lines: [...object('show', 'p1', fields), ...groups] };
  }
  return call.id === 't1' ? { lines: object('topic', 't1', '') } : { lines: [] };
}

const nowPlaying = ({ id }: Call): Page =>
  id === ''
    ? fault(400, 'request.idInvalid', 'Give an id')
    : {
        headers: { 'Cache-Control': 'private, max-age=30' },
        lines: [
          `<outline type="text" text="Station" guide_id="${id}" key="station" image="http://radio.test/s1q.png" preset_id="${id}"/>`,
          '<outline type="text" text="Duo - First Light" key="song"/>',
          '<outline type="text" text="Hearth Songs" key="show"/>',
          '<outline type="text" text="Folk"/>',
        ],
      };

const search = (call: Call): Page => {
  const query = call.params.get('query');
  if (query === undefined) return fault(400, 'request.queryInvalid', 'Empty Query specified');
  const types = call.params.get('types');
  if (/song|artist/.test(call.c)) return { lines: query.startsWith('zz') ? [] : [station(call, 's1')] };
  if (call.params.get('filter') === 'p:topic')
    return { lines: [show(call), ...group('Topics', 'topics', [topic(call)])] };
  const countryId = call.params.get('country') ?? call.params.get('countryid') ?? IRELAND;
  const isNone = types === 'show' || query.startsWith('zz') || countryId !== IRELAND;
  const stations = isNone ? [] : [station(call, 's1')];
  return { lines: [...stations, ...(types === 'station' ? [] : [show(call)])] };
};

const streamFor = ({ params }: Call): object =>
  params.get('formats') === 'aac' ? { ...STREAM, media_type: 'aac' } : STREAM;

function tune(call: Call): Sent {
  if (call.c === 'pbrowse')
    return writeXml({
      lines: group('Recent', 'topics', [topic(call)]).concat(
        group('Stations', 'stations', [station(call, 's1')]),
      ),
    });
  if (call.c === 'ebrowse')
    return writeXml({
      lines: [
        `<outline type="audio" text="128" URL="${call.link('/Tune.ashx?id=e1&sid=s1')}" bitrate="128" reliability="90" guide_id="e1"/>`,
      ],
    });
  if (call.c !== '') return writeXml(fault(404, 'api.methodNotFound', 'Invalid method'));
  if (call.params.get('render') === 'json') return json([streamFor(call)]);
  const body = /^[setp]\d$/.test(call.id) ? 'http://stream.test/1.mp3\n' : '#STATUS: 400\n';
  return { status: 200, headers: { 'Content-Type': 'audio/x-mpegurl' }, body };
}

const LISTING = [
  {
    element: 'outline',
    text: 'Listing',
    key: 'listing',
    children: [
      { element: 'station', guide_id: 's1', preset_id: 's1', name: 'Station s1', slogan: '', logo: '' },
    ],
  },
];

/** Answers what the directory itself does not know. */
export type Besides = (path: string, call: Call) => Page | undefined;
/** Whether the caller has saved an item. */
export type HasSaved = (call: Call, id: string) => boolean;

/** The answer of a server that keeps every statement. */
export function answerOf(
  url: string,
  headers: IncomingHttpHeaders,
  besides: Besides = () => undefined,
  hasSaved: HasSaved = () => false,
): Sent {
  const call = parseQuery(url, headers);
  const path = url.replace(/\?.*/, '').toLowerCase();
  const other = besides(path, call);
  if (other) return writeXml(other);
  if (!isKnown(call)) return writeXml(fault(403, 'partner.invalid', 'Give a valid partnerId'));
  if (path === '/tune.ashx') return tune(call);
  const isJson = call.params.get('render') === 'json';
  if (call.c === 'composite') return json(LISTING);
  const page = marked(pageOf(path, call, headers), (id) => hasSaved(call, id));
  if (!isJson) return writeXml(page);
  if (page.status !== undefined) return json([], String(page.status));
  return json(page.lines.filter((line) => line !== '</outline>').map((line) => asJson(line)));
}

/** Says of what was saved that it was, in lists and in descriptions. */
const marked = (page: Page, isSaved: (id: string) => boolean): Page => ({
  ...page,
  lines: page.lines.map((line) => {
    const id = /(?:<guide_id>| guide_id=")([sp]\d+)/.exec(line)?.[1];
    if (id === undefined || !isSaved(id)) return line;
    return line.replace('<is_preset>false', '<is_preset>true').replace('/>', ' is_preset="true"/>');
  }),
});

function pageOf(path: string, call: Call, headers: IncomingHttpHeaders): Page {
  if (['/', '/browse.ashx', '/index.aspx'].includes(path)) return browse(call, headers);
  if (path === '/describe.ashx') return describe(call);
  if (path === '/search.ashx') return search(call);
  return fault(404, 'api.methodNotFound', 'Invalid method');
}

const asJson = (line: string): Record<string, string> =>
  Object.fromEntries([
    ['element', 'outline'],
    ...[...line.matchAll(/ (\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  ]);
