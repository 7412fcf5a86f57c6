import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerOf } from '../../test/small-directory.ts';
import { type Break, startSmallServer } from '../../test/small-server.ts';
import type { Check } from './check.ts';
import { Kit } from './kit.ts';
import { runChecks, type Result } from './run.ts';
import { SECTIONS } from './sections.ts';

const CHECKS: ReadonlyMap<string, Check> = new Map(
  SECTIONS.flatMap(({ checks }) => checks.map((check) => [check.id, check])),
);

/** The checks of these ids against a server that is broken in one way. */
async function resultsOf(ids: readonly string[], change: Break): Promise<Result[]> {
  const server = await startSmallServer(change);
  const options = { partnerId: 'kit', username: 'ann', write: true, timeoutMs: 500, maxRequests: 300 };
  const untrue = server.origin.replace('http:', 'https:');
  const httpsBaseUrl = ids.includes('rule-1-https') ? untrue : server.secureOrigin;
  const kit = new Kit({ baseUrl: server.origin, httpsBaseUrl, ...options });
  const checks = ids.map((id) => CHECKS.get(id) ?? assert.fail(`no check ${id}`));
  const results = await Array.fromAsync(runChecks(kit, [{ id: 'x', title: 'x', checks }]));
  kit.close();
  await server.close();
  return results;
}

type Replacement = string | ((...found: string[]) => string);

const replaced = (body: string, from: RegExp | string, to: Replacement): string =>
  typeof to === 'string' ? replace(body, from, to) : body.replace(from, to);

const replace = (body: string, from: RegExp | string, to: string): string =>
  typeof from === 'string' ? body.replaceAll(from, to) : body.replace(from, to);

/** In answers to such requests, what is found is replaced. */
const inBody =
  (path: RegExp, from: RegExp | string, to: Replacement): Break =>
  (sent, url) =>
    path.test(url) ? { ...sent, body: replaced(sent.body, from, to) } : sent;

const withHeader =
  (name: string, value: string): Break =>
  (sent) => ({ ...sent, headers: { ...sent.headers, [name]: value } });

const withStatus =
  (path: RegExp, status: number): Break =>
  (sent, url) =>
    path.test(url) ? { ...sent, status } : sent;

/** Requests like these are refused. */
const refusing = (path: RegExp): Break =>
  inBody(path, '<status>200</status>', '<status>400</status><fault>No</fault>');

/** Requests like these are taken for fine. */
const lenient = (path: RegExp): Break => inBody(path, /<status>4\d\d<\/status>/g, '<status>200</status>');

const ANY = /^/;
const INDEX = /^\/browse\.ashx(?:\?partnerId=kit)?$/i;
const GENRE = /id=g1/;
const SCHEDULE = /c=schedule/;
const STATION = /Browse\.ashx\?id=s1/;
const shifted: Replacement = (_, time) =>
  `start="${new Date(Date.parse(`${time}Z`) - 50 * 3_600_000).toISOString().slice(0, 19)}"`;
const START = /start="([^"]*)"/g;
const fifty = (line: string): string => `${line}\n`.repeat(51).trimEnd();

const without = (name: string): [RegExp, string] => [new RegExp(` ${name}="[^"]*"`, 'g'), ''];

/** How a server is broken, and the checks that must notice. */
const BROKEN: [what: string, ids: string, change: Break][] = [
  ['menus of music are refused', '1-tree 2.1-station 4.4-music 8-stations', refusing(/c=music|id=g1/)],
  ['the podcast menu is refused', '1-shows 2.1-show 4.8-podcast', refusing(/c=podcast/)],
  [
    'listening to a show is refused',
    '1-topics 2.1-topic 2.3-url-of-show 4.9-pbrowse 4.7-tune',
    refusing(/c=pbrowse/),
  ],
  [
    'the query is ignored',
    '1-query',
    (sent, url, { headers }) => (/c=music/.test(url) ? answerOf(url.replace('c=music&', ''), headers) : sent),
  ],
  ['Describe is no OPML', '1-opml 4.12-station', inBody(/Describe/, /<head>[^]*<\/head>/g, '')],
  ['the world is refused', '1-browse-c 4.4-world 4.4-world-tree', refusing(/c=world/)],
  ['r0 is refused', '1-browse-id 2.1-region', refusing(/id=r0/)],
  ['a link of the index is refused', '1-links 4.4-talk', refusing(/c=talk/)],
  ['sports has no links', '4.4-sports', inBody(/c=sports/, 'type="link"', 'type="text"')],
  ['guide ids have a suffix', '2.1-shape', inBody(/c=lang/, 'guide_id="l1"', 'guide_id="l1-5"')],
  ['a show has no guide id', '2.3-guide-id', inBody(GENRE, ' guide_id="p1"', '')],
  ['languages are filtered by name', '2.1-language', inBody(/c=lang/, 'filter=l1', 'filter=English')],
  ['countries are named by ISO code', '2.1-country', inBody(/countries/, /guide_id="n/g, 'guide_id="x')],
  ['another station is described', '2.1-id-parameter', inBody(/Describe/, '<guide_id>s1', '<guide_id>s2')],
  ['the version is 2', '2.2-version rule-11', inBody(ANY, 'version="1"', 'version="2"')],
  ['there are two titles', '2.2-title', inBody(ANY, '<head>', '<head><title>A</title><title>B</title>')],
  ['the status is a word', '2.2-status 7-success', inBody(ANY, '<status>200<', '<status>OK<')],
  [
    'success has a fault',
    '2.2-fault',
    inBody(ANY, '<status>200</status>', '<status>200</status><fault>Oh</fault>'),
  ],
  ['a fault has no text', '2.2-fault rule-5 7-classifier', inBody(ANY, /<fault>.*<\/fault>/g, '')],
  ['a fault code is a sentence', '2.2-fault-code', inBody(ANY, 'request.idInvalid', 'That id is wrong!')],
  ['a fault comes with outlines', '2.2-body', inBody(/no-such/, '<body>', '<body>\n<outline text="a"/>')],
  ['a type is unknown', '2.3-type', inBody(INDEX, 'type="link"', 'type="menu"')],
  ['a text is empty', '2.3-text', inBody(INDEX, 'text="music"', 'text=""')],
  ['links are relative', '2.3-url', inBody(GENRE, /URL="http:\/\/[^/]*/g, 'URL="')],
  ['keys of the index are translated', '2.3-key 4.1-talk', inBody(INDEX, 'key="talk"', 'key="wort"')],
  [
    'now playing names another station',
    '2.3-preset-id',
    inBody(/nowplaying/, 'preset_id="s1"', 'preset_id="s2"'),
  ],
  ['images are relative', '2.3-image', inBody(GENRE, 'image="http://radio.test', 'image="')],
  ['starts have a zone', '2.3-start', inBody(SCHEDULE, /(start="[^"]*)/g, '$1Z')],
  ['durations are in words', '2.3-duration', inBody(SCHEDULE, 'duration="7200"', 'duration="2h"')],
  ['tz comes without a username', '2.3-tz', inBody(SCHEDULE, 'duration=', 'tz="UTC" duration=')],
  ['links forget the partner', '2.5-partnerId', inBody(ANY, '&amp;partnerId=kit', '')],
  ['links forget the username', '2.5-username rule-17', inBody(ANY, /&amp;username=\w+/g, '')],
  ['links forget the serial', '2.5-serial', inBody(ANY, /&amp;serial=[^&"]*/g, '')],
  ['links forget the formats', '2.5-formats', inBody(ANY, /&amp;formats=[^&"]*/g, '')],
  ['links forget the locale', '2.5-locale', inBody(ANY, /&amp;locale=[^&"]*/g, '')],
  ['links forget the coordinate', '2.5-latlon', inBody(ANY, /&amp;latlon=[^&"]*/g, '')],
  [
    'formats do not filter',
    '2.5-formats-filter 4.2-formats 4.14-formats',
    inBody(ANY, 'formats="mp3,aac"', 'formats="wma"'),
  ],
  [
    'Accept-Language wins over locale',
    '2.5-locale-wins',
    (sent, _url, { headers }) =>
      headers['accept-language'] === 'ja' ? { ...sent, body: sent.body.replace('Lokal', 'ローカル') } : sent,
  ],
  [
    'everybody stands in one place',
    '2.5-latlon-local',
    inBody(/c=local/, /guide_id="s\d"/g, 'guide_id="s1"'),
  ],
  [
    'formats lists nothing known',
    '2.6-wma 2.6-mp3 2.6-aac 2.6-real 2.6-flash 2.6-html 2.6-wmpro 2.6-wmvoice 2.6-wmvideo 2.6-ogg 2.6-qt',
    inBody(/c=formats/, /guide_id="/g, 'guide_id="x'),
  ],
  [
    'a playlist has a heading',
    '2.7-m3u 4.9-show-playlist 4.9-station-playlist rule-9 rule-20',
    inBody(/Tune/, /^http:/g, '#EXTM3U\nhttp:'),
  ],
  ['a playlist ends its lines by CR', 'rule-9', inBody(/Tune/, '\n', '\r\n')],
  ['streams of other formats are given', '2.7-compatible', inBody(/Tune/, '"mp3"', '"wma"')],
  ['JSON has another order', '2.7-order', inBody(/render=json/, 'stream.test/1', 'stream.test/2')],
  [
    'the index holds a text line',
    '4.1-links rule-12',
    inBody(INDEX, '<body>', '<body>\n<outline type="text" text="Hello"/>'),
  ],
  ['local leads elsewhere', '4.1-local', inBody(INDEX, '?c=local', '?c=near')],
  ['sports leads elsewhere', '4.1-sports', inBody(INDEX, '?c=sports', '?c=sport')],
  ['music leads elsewhere', '4.1-music', inBody(INDEX, '?c=music', '?c=songs')],
  ['by location leads elsewhere', '4.1-location', inBody(INDEX, 'id=r0', 'id=r1')],
  ['by language leads elsewhere', '4.1-language', inBody(INDEX, '?c=lang', '?c=language')],
  ['podcasts lead elsewhere', '4.1-podcast', inBody(INDEX, '?c=podcast', '?c=podcasts')],
  ['my presets is missing', '4.1-presets', inBody(INDEX, 'key="presets"', 'key="mine"')],
  [
    'the index is in another order',
    '4.1-order',
    inBody(INDEX, /(<outline .*\/>)\n(<outline .*\/>)/, '$2\n$1'),
  ],
  ['my presets wants a name', '4.1-registration', inBody(INDEX, '/register?', '/Browse.ashx?c=presets')],
  ['local is refused', '4.2-c 4.2-forwarded', refusing(/c=local(?!&latlon)/)],
  ['a coordinate is refused', '4.2-latlon', refusing(/c=local&latlon/)],
  ['a named caller is refused', '4.2-username', refusing(/c=local&username/)],
  [
    'the account wins over the coordinate',
    '4.2-precedence',
    inBody(/latlon.*username/, /guide_id="s1"/g, 'guide_id="s3"'),
  ],
  ['local holds shows', '4.2-output', inBody(/c=local/, 'item="station"', 'item="show"')],
  ['places are text', '4.2-sub-locations', inBody(/c=local/, 'type="link"', 'type="text"')],
  ['presets are given to anybody', '4.3-partner 4.3-partner-valid 4.3-identity', lenient(/c=presets/)],
  ['presets are refused', '4.3-username 4.3-serial 4.3-formats', refusing(/c=presets/)],
  [
    'a folder stands among presets',
    '4.3-folders',
    inBody(/c=presets/, '<body>', '<body>\n<outline type="link" text="A" guide_id="f1"/>'),
  ],
  [
    'a group holds too many stations',
    '4.4-stations 8-stations',
    inBody(GENRE, /^<outline type="audio".*/gm, fifty),
  ],
  ['a group holds too many shows', '4.4-shows 8-shows', inBody(GENRE, /^<outline.*item="show".*/gm, fifty)],
  ['no language is listed', '4.5-list', inBody(/c=lang/, 'type="link"', 'type="text"')],
  ['a language holds nothing', '4.5-filter', inBody(/filter=l1/, /<body>[^]*<\/body>/, '<body></body>')],
  [
    'stations are in another language',
    '4.5-restricted',
    inBody(/Describe/, '<language>English', '<language>German'),
  ],
  ['deeper links forget the language', '4.5-deeper', inBody(/filter=l1/, '&amp;filter=l1', '')],
  ['a station has no genre group', '4.6-id', inBody(STATION, 'key="genres"', 'key="related"')],
  ['a station is like itself', '4.6-similar', inBody(STATION, 'guide_id="s2"', 'guide_id="s1"')],
  ['genres are text', '4.6-links', inBody(STATION, 'type="link"', 'type="text"')],
  [
    'detail is ignored',
    '4.6-affiliate 4.6-genre 4.6-recommendation 4.6-genre-recommendation',
    inBody(
      /Browse.*detail=/,
      '</body>',
      '<outline text="A" key="other">\n<outline type="link" text="a" URL="http://a/?"/>\n</outline>\n</body>',
    ),
  ],
  ['schedules are refused', '4.7-c-id 4.7-without', refusing(SCHEDULE)],
  ['a schedule of nothing is given', '4.7-id-required', lenient(/c=schedule/)],
  ['tz is missing', '4.7-username', inBody(SCHEDULE, ...without('tz'))],
  ['a day is another day', '4.7-start 4.7-stop', inBody(/&start=/, START, shifted)],
  ['any date will do', '4.7-date-format', lenient(/start=1\.2/)],
  ['forward looks back', '4.7-forward 4.7-utc', inBody(/forward=true/, START, shifted)],
  ['the show on air is left out', '4.7-live', inBody(/live=true/, /<body>\n.*\n/, '<body>\n')],
  ['the show on air is always there', '4.7-not-live', inBody(/forward=true(?!&live)/, START, shifted)],
  ['entries have no image', '4.7-output', inBody(SCHEDULE, ...without('image'))],
  ['entries are in no order', '4.7-order', inBody(SCHEDULE, /(<outline .*\/>)\n(<outline .*\/>)/, '$2\n$1')],
  [
    'nine days are given at once',
    '4.7-span 8-schedule-span',
    inBody(/stop=/, /start="\d{4}/g, 'start="2199'),
  ],
  ['topics are links', '4.8-topics', inBody(/c=topics/, 'type="audio"', 'type="link"')],
  ['one stream is two', '4.9-one-stream', inBody(/id=e1/, '\n', '\nhttp://stream.test/2\n')],
  [
    'an unknown id gives a stream',
    '4.9-unknown',
    inBody(/id=s9999/, '#STATUS: 400', 'http://stream.test/1.mp3'),
  ],
  [
    'now playing is one line',
    '4.12-nowplaying rule-24',
    inBody(/nowplaying/, '<outline type="text" text="Folk"/>', ''),
  ],
  ['now playing has no image', '4.12-nowplaying-image', inBody(/nowplaying/, ...without('image'))],
  ['now playing has no lifetime', '4.12-nowplaying-ttl rule-24', withHeader('Cache-Control', 'no-cache')],
  ['now playing of nothing is given', '4.12-nowplaying-id', lenient(/nowplaying/)],
  [
    'described details are others',
    '4.12-station-genre 4.12-station-affiliate 4.12-station-recommendation 4.12-station-genre-recommendation 4.12-show-genre',
    inBody(/Describe.*detail=/, /key="/g, 'key="x'),
  ],
  ['a show is described as a station', '4.12-show', inBody(/Describe.*id=p1/, /show>/g, 'station>')],
  [
    'a topic is described twice',
    '4.12-topic',
    inBody(/Describe.*id=t1/, '</body>', '<outline type="text" text="a"/></body>'),
  ],
  ['a name is decoded wrongly', '4.12-station-name', inBody(/Describe/, '<name>Station', '<name>StÃ¤tion')],
  [
    'few countries are known',
    '4.12-countries',
    inBody(/countries/, /<outline.*text="Country \d\d".*\n/g, ''),
  ],
  ['a country cannot be searched in', '4.12-country-search', refusing(/country=n/)],
  [
    'nothing is ever found',
    '4.14-query 4.14-plus 4.14-guide-id 4.14-types-station',
    inBody(/Search/, /<outline.*\n/g, ''),
  ],
  [
    'stations are found in a group',
    '4.14-top-level',
    inBody(/Search/, /(<outline type="audio".*)/g, '<outline text="A">\n$1\n</outline>'),
  ],
  [
    'shows are found among stations',
    '4.14-types-station',
    inBody(/types=station/, 'type="audio"', 'type="link"'),
  ],
  ['shows are not found', '4.14-types-show', inBody(/types=show/, 'guide_id="p1"', 'guide_id="p2"')],
  ['nothing found is a fault', '4.14-nothing', refusing(/query=zz/)],
  ['an empty query finds all', '4.14-empty 7-query', lenient(/Search/)],
  ['an unknown page is HTTP 404', '7-method rule-5', withStatus(/NoSuch/, 404)],
  ['an unbrowsable id is a 404', '7-browse-id', inBody(/id=local/, '400', '404')],
  ['Describe takes anything', '7-describe-c', lenient(/Describe/)],
  ['Tune takes anything', '7-tune-c', lenient(/Tune/)],
  ['constructor is a menu', '7-hostile', lenient(/constructor/)],
  ['text comes back as markup', '7-echo', inBody(/outline/, '<body>', '<body>\n<outline text="x"/>')],
  ['HTTP leads to HTTPS', 'rule-1', withStatus(ANY, 301)],
  ['HTTPS does not answer', 'rule-1-https', (sent) => sent],
  [
    'paths are of one case',
    'rule-2',
    (sent, url) => (url.startsWith('/browse') ? { ...sent, status: 404 } : sent),
  ],
  ['a valueless parameter is refused', 'rule-3', refusing(/&name/)],
  [
    'Accept decides',
    'rule-4',
    (sent, _url, { headers }) => (headers.accept === 'text/html' ? { ...sent, body: '<html></html>' } : sent),
  ],
  ['the JSON status is a number', 'rule-6', inBody(/render=json/, '"status":"200"', '"status":200')],
  ['a bitrate is a number', 'rule-7', inBody(/render=json/, '"bitrate":"128"', '"bitrate":128')],
  ['a Tune bitrate is a string', 'rule-7-tune', inBody(/render=json/, '"bitrate":128', '"bitrate":"128"')],
  ['JSON is text', 'rule-8', withHeader('Content-Type', 'text/plain')],
  ['outlines share a line', 'rule-10', inBody(ANY, /\/>\n/g, '/>')],
  [
    'the bitrate comes late',
    'rule-10',
    inBody(GENRE, ' bitrate="128" reliability="90"', ' reliability="90" bitrate="128"'),
  ],
  ['a > is raw', 'rule-10', inBody(GENRE, 'subtext="Songs"', 'subtext="Songs > all"')],
  ['the head says more', 'rule-11', inBody(ANY, '<head>', '<head><dateCreated>now</dateCreated>')],
  ['by location has no key', 'rule-12', inBody(INDEX, ' key="location"', '')],
  ['a link has no ?', 'rule-13', inBody(INDEX, '/register?', '/register')],
  ['a bitrate is empty', 'rule-14', inBody(GENRE, 'bitrate="128"', 'bitrate=""')],
  ['a topic has no subtext', 'rule-14-topic', inBody(/pbrowse/, ...without('subtext'))],
  ['a group is empty', 'rule-15', inBody(GENRE, '</body>', '<outline text="Empty" key="x"/>\n</body>')],
  [
    'a group holds text',
    'rule-15',
    inBody(GENRE, '</outline>', '<outline type="text" text="none"/>\n</outline>'),
  ],
  ['numbers stand in a genre', 'rule-16', inBody(GENRE, 'preset_id=', 'preset_number="1" preset_id=')],
  ['links repeat render', 'rule-17', inBody(ANY, /(URL="[^"]*)/g, '$1&amp;render=xml')],
  ['links lead to another host', 'rule-18', inBody(ANY, /127\.0\.0\.1:\d+/g, 'radio.test')],
  ['links are no addresses', 'rule-18', inBody(ANY, /127\.0\.0\.1:\d+/g, '[radio')],
  ['paging is translated', 'rule-19', inBody(ANY, 'More Stations', 'Mehr Sender')],
  ['paging of shows is translated', 'rule-19-shows', inBody(ANY, 'More Shows', 'Mehr Sendungen')],
  ['paging leads to nothing', 'rule-19 rule-19-shows', inBody(/offset=/, /<outline.*\n/g, '')],
  [
    'options are the streams themselves',
    'rule-20',
    inBody(/ebrowse/, /URL="[^"]*"/g, 'URL="http://stream.test/1.mp3?"'),
  ],
  ['no folder is the default', 'rule-21', inBody(/recurse/, 'is_default="true"', 'is_default="false"')],
  ['a listing has no logo', 'rule-22', inBody(/composite/, '"logo"', '"image"')],
  ['genres are links', 'rule-23', inBody(/c=genres/, 'type="text"', 'type="link"')],
  ['answers are chunked', 'rule-25', withHeader('Transfer-Encoding', 'chunked')],
  ['connections stay open', 'rule-25', withHeader('Connection', 'keep-alive')],
  [
    'connections of old radios are cut',
    'rule-25',
    (sent, _path, { httpVersion, socket }) => {
      if (httpVersion === '1.0') socket.resetAndDestroy();
      return sent;
    },
  ],
  ['answers are compressed unasked', 'rule-25', withHeader('Content-Encoding', 'gzip')],
  ['an ampersand is bare', '4.2-c', inBody(/c=local/, '&amp;', '&')],
  ['the body is not UTF-8 text', '4.2-c', inBody(/c=local/, 'text="Europe"', 'text="\u0001"')],
  [
    'Preset takes anything',
    '4.10-c 4.10-partner 4.10-identity 4.10-password 4.10-item-required 4.10-folder-required 4.10-folder-own 4.10-name-required 5-partner-invalid 5-insecure',
    lenient(/Preset/),
  ],
  [
    'presets are lost',
    '4.3-one-folder 4.10-username 4.10-serial 4.10-show 4.10-number 4.10-url 4.10-folder 4.11-create-serial 4.11-join',
    inBody(/c=presets/, /<outline.*\n/g, ''),
  ],
  [
    'presets stay for ever',
    '4.10-remove 4.10-url 4.11-drop',
    inBody(/c=presets/, '<body>', '<body>\n<outline type="audio" text="S" guide_id="s1"/>'),
  ],
  ['buttons are counted anew', '4.10-number', inBody(/c=presets/, 'preset_number="7"', 'preset_number="1"')],
  ['folders lead nowhere', '4.3-several-folders', inBody(/guide_id=f/, /<outline.*\n/g, '')],
  ['folders are no links', '4.3-several-folders', inBody(/c=presets/, 'type="link"', 'type="text"')],
  [
    'Preset says more than a status',
    '4.10-status-only',
    inBody(/Preset/, '</body>', '<outline type="text" text="Done"/>\n</body>'),
  ],
  ['folders have no ids', '4.10-add-folder 4.10-list-folders', inBody(/Preset/, ...without('guide_id'))],
  ['folders are listed as links', '4.10-list-folders', inBody(/listFolders/, 'type="text"', 'type="link"')],
  ['folders keep their names', '4.10-rename-folder', inBody(/listFolders/, 'Bath', 'Kitchen')],
  ['folders cannot be removed', '4.10-remove-folder', refusing(/removeFolder/)],
  [
    'Account takes anything',
    '4.11-https 4.11-partner 4.11-create-username 4.11-create-password 4.11-auth-401 4.11-join-exists 4.11-drop-other',
    lenient(/Account/),
  ],
  [
    'Account takes whoever registers',
    '7-email 7-password 7-location 7-username-exists 7-email-exists 7-error',
    lenient(/Account/),
  ],
  [
    'faults of Account have no codes',
    '7-email 7-password 7-location 7-username-exists 7-email-exists 7-error 4.11-join-exists 4.11-drop-other',
    inBody(/Account/, /<fault_code>.*<\/fault_code>/g, ''),
  ],
  ['nobody can register', '4.11-create', refusing(/c=create/)],
  ['nobody can sign in', '4.11-auth', refusing(/c=auth/)],
  ['a wrong password is a malformed call', '4.11-auth-401', inBody(/c=auth/, '401', '400')],
  [
    'Account is redirected to HTTPS',
    '4.11-https 5-insecure',
    (sent, _path, { headers }) =>
      sent.body.includes('request.insecure')
        ? { ...sent, status: 302, headers: { Location: `https://${headers.host}/` } }
        : sent,
  ],
];

for (const [what, ids, change] of BROKEN) {
  test(`noticed: ${what}`, async () => {
    for (const { id, outcome, expected, came, repeat } of await resultsOf(ids.split(' '), change)) {
      assert.equal(outcome, 'fail', `${id} is ${outcome}`);
      assert.ok(expected && came !== undefined, id);
      assert.match(repeat ?? '', /^curl .*'https?:\/\/127\.0\.0\.1:/, id);
    }
  });
}

test('every check can fail', () => {
  const proven = new Set(BROKEN.flatMap(([, ids]) => ids.split(' ')));
  assert.deepEqual(
    [...CHECKS.keys()].filter((id) => !proven.has(id)),
    [],
  );
});
