import { cleanAddress, cleanFeedAddress } from '../../src/core/cleaning/clean-address.ts';
import { cleanCodec } from '../../src/core/cleaning/clean-codec.ts';
import { cleanHomepage, cleanLogo, homepageHost } from '../../src/core/cleaning/clean-homepage.ts';
import { cleanName, nameKey } from '../../src/core/cleaning/clean-name.ts';
import { genresOf } from '../../src/core/cleaning/genres.ts';
import { languagesOf, parseLanguage } from '../../src/core/cleaning/languages.ts';
import { genreOfCategories } from '../../src/core/feeds/show-record.ts';
import { parseSong } from '../../src/core/now-playing/redis-scripts.ts';
import { findFrames, readAdtsFrame, readMpegFrame } from '../../src/formats/audio/frames.ts';
import { identify } from '../../src/formats/audio/identify.ts';
import { oggSong } from '../../src/formats/audio/ogg.ts';
import { WholeFrames } from '../../src/formats/audio/whole-frames.ts';
import { parseAttributes, parseHls } from '../../src/formats/hls/parse-hls.ts';
import { segmentAudio } from '../../src/formats/hls/segment-audio.ts';
import { segmentSong } from '../../src/formats/hls/segment-song.ts';
import { ChunkedBody, HeadReader } from '../../src/formats/icy/head-reader.ts';
import { IcySplitter, parseMetaint, parseStreamTitle } from '../../src/formats/icy/icy-splitter.ts';
import { isAllowedBy, parseRobots } from '../../src/formats/robots-txt.ts';
import { cleanSongText, namedSong, quotedSong, splitSong } from '../../src/formats/song-text.ts';
import {
  azuracastSong,
  icecastSong,
  parseStatus,
  shoutcastSong,
} from '../../src/formats/station-status/station-status.ts';
import { cleanRecord } from '../../src/import/pipeline/clean-record.ts';
import { freshSecondsOf, linksOf, validatorsOf } from '../../src/lib/answer-headers.ts';
import { kindOf } from '../../src/workers/images/resize/kind-of.ts';
import { firstSource, statusSource } from '../../src/workers/polling/known-streams.ts';
import { type Reader, reader } from './reader.ts';

const HERE = 'http://a.example.net/live.m3u8';
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

/** As a slow network brings it. */
function* crumbs(text: string): Generator<Buffer> {
  const all = bytes(text);
  for (let at = 0; at < all.length; at += 16) yield all.subarray(at, at + 16);
}

/** What may refuse the text at any point has then read it. */
function inCrumbs(text: string, push: (piece: Buffer) => unknown): void {
  for (const piece of crumbs(text)) push(piece);
}

const RECORD = {
  source: 'test',
  record: '1',
  name: 'Town FM',
  address: 'http://a.example.net/1',
  languages: [],
  tags: [],
  bitrateKbps: 0,
  hls: false,
  votes: 0,
  clicks: 0,
};
const ADDRESS = ['http://a.example.net/', ''] as const;

/** Fields of records as long as a whole file may be, which is more than any has: what a far directory may send. */
export const STATION_READERS: readonly Reader[] = [
  reader(
    'parseRobots',
    (text) => isAllowedBy(parseRobots(text, 'Longwave-Relay'), `/${'a*'.repeat(1000)}`),
    ['User-agent: Longwave-Relay\n', 'Disallow: /a\n', 'Disallow: /*a$\n', 'Allow: /', '*', 'a'],
    ['User-agent: Longwave-Relay\nDisallow: /', ''],
  ),
  reader(
    'parseHls',
    (text) => parseHls(text, HERE),
    [
      '#EXTINF:1,\n',
      '#EXT-X-STREAM-INF:',
      'A="',
      'a\n',
      '#EXTINF:1,\na\n',
      '#EXT-X-STREAM-INF:BANDWIDTH=1\na\n',
    ],
    ['#EXTM3U\n', ''],
    ['#EXTM3U\n#EXTINF:1,title="', '"\na.ts'],
  ),
  reader('parseAttributes', parseAttributes, ['A=,', 'A="",'], ['A="', '']),
  reader(
    'segmentSong',
    (text) => segmentSong(bytes(text)),
    ['ID3', 'TIT2', 'G@'],
    ['ID3\x04\0\0\0\x03\x7f\x7f', ''],
  ),
  reader(
    'identify',
    (text) => identify(bytes(text), undefined),
    ['\xff\xfb\x90\x64', '\xff\xf1\x50\x80', 'OggS', 'fLaC'],
    ['\xff\xfb\x90\x64', ''],
  ),
  reader('readMpegFrame', (text) => findFrames(bytes(text), readMpegFrame), ['\xff\xfb\x90\x64', '\xff']),
  reader('readAdtsFrame', (text) => findFrames(bytes(text), readAdtsFrame), [
    '\xff\xf1\x50\x80\x02\x1f\xfc',
    '\xff',
  ]),
  reader('WholeFrames', (text) => wholeFrames(text), [
    '\xff\xfb\x90\x64',
    '\xff\xf1\x50\x80\x02\x1f\xfc',
    '\xff',
  ]),
  reader(
    'segmentAudio',
    (text) => segmentAudio(bytes(text), bytes(text)),
    ['ID3\x04\0\0\0\0\0\0', '\0\0\0\x08moof', '\x47\x40\0\x10'],
    ['\0\0\0\x08styp', ''],
  ),
  reader('oggSong', (text) => oggSong(bytes(text)), ['OggS', 'OpusTags', '\x03vorbis'], ['OggS\0\x02', '']),
  reader(
    'parseStreamTitle',
    (text) => parseStreamTitle(bytes(text)),
    ["StreamTitle='", "';"],
    ["StreamTitle='", "';"],
  ),
  reader('splitSong', splitSong, [' - ', 'text="', ' title="', 'song_spot=\\', '&#353;'], [' title="', '"']),
  reader('quotedSong', quotedSong, [',title="', '\\"'], ['title="', '"'], ['title="a",artist="', '']),
  reader('namedSong', (text) => namedSong({ title: text, artist: text, album: text }), ['text="', '&amp;']),
  reader('cleanText', cleanSongText, ['a ', '\u200b']),
  reader('HeadReader', (text) => head(text), ['a: b\r\n', ' \r\n'], ['HTTP/1.1 200 OK\r\n', '']),
  reader('ChunkedBody', (text) => chunked(text), ['1\r\na\r\n', '0'], ['ffff\r\n', '']),
  reader('IcySplitter', (text) => titles(text), ["\x01StreamTitle='a';\0", '\xff']),
  reader('parseMetaint', parseMetaint),
  reader(
    'shoutcastSong',
    shoutcastSong,
    ['<body>', '<body', '1,'],
    ['<body>1,1,1,1,1,1,', '</body>'],
    ['{"songtitle":"', '"}'],
  ),
  reader('icecastSong', (text) => icecastSong(text, '/a'), ['{},'], ['{"icestats":{"source":[', ']}}']),
  reader('azuracastSong', azuracastSong, ['[{'], ['{"now_playing":{"song":{"title":"', '"}}}']),
  reader('parseSong', parseSong, [], ['{"title":"', '"}']),
  reader('kindOf', (text) => kindOf(bytes(text)), ['<svg', '<!--'], ['<svg ', '']),
  reader('parseStatus', parseStatus, ['[', '{"a":']),
  reader(
    'cleanRecord, its name',
    (name) => cleanRecord({ ...RECORD, name }),
    ['(', '<a', '&amp;', '№', '98.1 '],
    ['A', 'Z'],
    ['(', ')'],
  ),
  reader('cleanRecord, its place', (text) =>
    cleanRecord({ ...RECORD, state: text, city: text, countryName: text }),
  ),
  reader(
    'cleanRecord, its tags',
    (text) => cleanRecord({ ...RECORD, tags: text.split(','), languages: [text] }),
    ['pop,', 'a,', 'old '],
  ),
  reader('cleanRecord of the United States', (name) => cleanRecord({ ...RECORD, name, countryCode: 'US' }), [
    'WNYC ',
    'KA',
    '98.1 ',
    '1010 AM ',
  ]),
  reader('cleanName', cleanName, ['(', '"', '- ', '\u{1d400}'], ['A', 'Z']),
  reader('nameKey', nameKey, ['(', '( no ', '128 k', 'mp3 '], ['A', 'Z'], ['(', ')']),
  reader('genresOf', (text) => genresOf([text], text), ['old ', 'music ', 'radio '], ['oldies ', '']),
  reader('genreOfCategories', (text) => genreOfCategories([text]), ['Society & ', 'news ']),
  reader('parseLanguage', parseLanguage, ['en-', 'en_']),
  reader(
    'cleanCodec',
    (text) => cleanCodec(text, false, `http://a/${text}`),
    ['mp3', '.mp3', ';', '/'],
    ['a.', ''],
  ),
  reader('languagesOf', (text) => languagesOf([text], [text]), ['en-', 'deutsch '], ['en', '']),
  reader('cleanAddress', cleanAddress, ['/;', '&a', '&amp;', '?a=b'], ADDRESS, [
    'http://a.example.net/?',
    '',
  ]),
  reader('cleanAddress, each line', (text) => linesIn(text).map(cleanAddress), [
    'http://a.example.net/',
    '//',
  ]),
  reader('nameKey, each line', (text) => linesIn(text).map(nameKey), ['(']),
  reader('cleanFeedAddress', cleanFeedAddress, ['//', '/..'], ADDRESS),
  reader(
    'cleanHomepage',
    (text) => homepageHost(cleanHomepage(text) ?? ''),
    ['http://', 'a.', 'a-'],
    ADDRESS,
  ),
  reader('cleanLogo', cleanLogo, ['.htm'], ADDRESS),
  reader(
    'answer headers',
    (text) => {
      const headers = { 'cache-control': text, link: text, etag: text, 'last-modified': text };
      return [freshSecondsOf(headers), linksOf(headers), validatorsOf(headers)];
    },
    ['max-age=', 'no-', ', '],
  ),
  reader(
    'where a song is told',
    (text) => {
      const headers = new Map([
        ['icy-notice2', text],
        ['server', text],
      ]);
      return [
        firstSource(`http://a.example.net/${text}`),
        statusSource(`http://a.example.net/${text}`, headers),
      ];
    },
    ['/listen/a/', 'SHOUTcast', '/;'],
  ),
];

/** As many as a listener's list may hold. */
const linesIn = (text: string): string[] => (text.match(/[^\n]+/g) ?? []).slice(0, 1000);

function head(text: string): void {
  const reading = new HeadReader();
  inCrumbs(text, (piece) => reading.push(piece));
}

function chunked(text: string): void {
  const body = new ChunkedBody();
  inCrumbs(text, (piece) => body.push(piece));
}

function wholeFrames(text: string): void {
  const frames = new WholeFrames();
  inCrumbs(text, (piece) => {
    frames.push(piece);
    frames.take();
  });
}

function titles(text: string): void {
  const splitter = new IcySplitter(16);
  inCrumbs(text, (piece) => splitter.push(piece));
}
