import { parseColumn, parseCount, parseDegrees, readCsvRecords } from '../../src/formats/csv/records.ts';
import { decodeText } from '../../src/formats/decode-text.ts';
import { parseDuration, parseFeedDate } from '../../src/formats/feed/date.ts';
import { hubOf, parseLinks } from '../../src/formats/feed/finish-feed.ts';
import { decodeFeed, parseFeed } from '../../src/formats/feed/parse-feed.ts';
import { plainLine, plainText } from '../../src/formats/feed/plain-text.ts';
import { asCharacters, cutAttributes, standIn } from '../../src/formats/feed/reader.ts';
import { parseItem } from '../../src/formats/json-lines/read.ts';
import { readOpmlList } from '../../src/formats/opml-list/parse.ts';
import { parseM3u } from '../../src/formats/playlist/m3u.ts';
import { parseAsx, parsePlaylist, parsePls, parseXspf } from '../../src/formats/playlist/parse-playlist.ts';
import { sniffPlaylist } from '../../src/formats/playlist/sniff-playlist.ts';
import {
  parseCalendarTime,
  parseLengthSeconds,
  readCalendar,
  unescapeText,
} from '../../src/formats/schedule/ics-lines.ts';
import { parseIcs } from '../../src/formats/schedule/ics.ts';
import {
  parseAzuracast,
  parseBbc,
  parseLibretime,
  parseScheduleJson,
  parseSpinitron,
} from '../../src/formats/schedule/json-schedules.ts';
import { parseRecurrence } from '../../src/formats/schedule/parse-recurrence.ts';
import { detectFormat, readText } from '../../src/formats/schedule/parse.ts';
import { parseInstant, textOfHtml } from '../../src/formats/schedule/schedule.ts';
import { parseSpi } from '../../src/formats/schedule/spi.ts';
import { parseClock, parseWeekdays, parseWeeklyCsv } from '../../src/formats/schedule/weekly-csv.ts';
import { readElements } from '../../src/formats/schedule/xml-elements.ts';
import { parseXmltv, parseXmltvTime } from '../../src/formats/schedule/xmltv.ts';
import { readNetworks } from '../../src/import/networks/network.ts';
import { parseBosePresets } from '../../src/formats/station-list/bose-presets.ts';
import { parseForeignId } from '../../src/formats/station-list/foreign-id.ts';
import { parseIniList, parseYamlList } from '../../src/formats/station-list/own-lists.ts';
import { formatOf, readList } from '../../src/formats/station-list/read-list.ts';
import { bytesOf, readAll, type Reader, reader } from './reader.ts';

const NEEDS = { zone: () => 'Europe/Berlin' };
const HERE = 'http://a.example.net/';
const START = Temporal.PlainDateTime.from('2026-01-01T10:00');
const EXTINF = '#EXTINF:-1 ';
const TIME = '2026-01-01T00:00:00Z';
// What is right is read to its end, which may be the most work of all.
const ITEM =
  '<item><title>a</title><pubDate>Mon, 5 Jan 2026 10:00 GMT</pubDate><enclosure url="http://a/b"/></item>';
const EVENT =
  'BEGIN:VEVENT\nSUMMARY:A\nDTSTART;TZID=Europe/Rome:20260101T100000\nDTEND:20260101T110000Z\nEND:VEVENT\n';
const counted = (rule: string): string => EVENT.replace('DTEND', `RRULE:FREQ=${rule}\nDTEND`);
const COUNTED = [
  'YEARLY;COUNT=99',
  'MONTHLY;COUNT=999;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=-1',
  'MONTHLY;COUNT=9;BYMONTH=2;BYMONTHDAY=30',
  'DAILY;COUNT=9999;BYMONTH=2',
  `DAILY;COUNT=9;BYHOUR=${Array.from({ length: 24 }, (_, n) => n).join(',')};BYMINUTE=${Array.from({ length: 60 }, (_, n) => n).join(',')}`,
].map(counted);
const PROGRAMME =
  '<programme start="20260101000000 +0100" stop="20260101010000 +0100"><title>A</title></programme>';
const SPI_PROGRAMME = `<programme><mediumName>A</mediumName><location><time time="${TIME}" duration="PT1H"/></location></programme>`;
const SHOW = `{"titles":{"primary":"A"},"title":"A","name":"A","start":"${TIME}","end":"${TIME}","starts":"2026-01-01 00:00:00","ends":"2026-01-01 01:00:00"},`;

export const LIST_READERS: readonly Reader[] = [
  reader(
    'parseM3u',
    parseM3u,
    [EXTINF, 'a=', 'tvg-id="', '#EXTGRP:', 'http://a/\n'],
    [EXTINF, ',A\nhttp://a/'],
  ),
  reader(
    'parsePls',
    parsePls,
    ['File1=', 'Title1 =', 'file', 'File1=http://a/\n'],
    ['[playlist]\nFile1=', ''],
  ),
  reader('parseAsx', parseAsx, ['<ref ', '<ref href="', ' href ', '<entryref '], ['<ref ', '>'], ['', '>']),
  reader(
    'parseXspf',
    parseXspf,
    ['<track>', '<location>', '<track><location>http://a/</location></track>'],
    ['<playlist><track><location>', ''],
    ['<playlist>', '</playlist>'],
  ),
  ...(['m3u', 'pls', 'asx', 'xspf'] as const).map((kind) =>
    reader(`parsePlaylist ${kind}`, (text) => parsePlaylist(kind, text, HERE), [
      'File1=',
      '<ref href=',
      'a\n',
    ]),
  ),
  reader('sniffPlaylist', (text) => sniffPlaylist(text, `${HERE}${text}`, Buffer.from(text)), ['<!--']),
  reader(
    'readOpmlList',
    (text) => readAll(readOpmlList(bytesOf(text))),
    ['<outline ', '<outline text="', '<outline text="a" URL="http://a/"/>'],
    ['<opml><outline url="', '"/></opml>'],
  ),
  reader(
    'readCsvRecords',
    (text) => readAll(readCsvRecords(bytesOf(text))),
    ['a;', 'a\t', 'a,"', '"a\n', 'A,http://a/\n'],
    ['name,url\n', ''],
  ),
  reader('parseColumn', parseColumn),
  reader('parseCount, parseDegrees', (text) => [parseCount(text), parseDegrees(text)], ['1 000', '1,']),
  reader('decodeText', (text) => decodeText(Buffer.from(text, 'latin1'))),
  reader('parseItem', (text) => parseItem(1, Buffer.from(text))),
  ...(['m3u', 'pls', 'opml', 'csv', 'json', 'yaml', 'ini', 'bose'] as const).map((format) =>
    reader(
      `readList ${format}`,
      (text) => readList(text, format, 1000),
      [EXTINF, '"a\n', 'A,http://a/\n', 'http://a/\n', 'File1=http://a/\n', '"a\\": ', '[a]\na=http://a/\n'],
      ['name,url\n', ''],
    ),
  ),
  reader(
    'parseBosePresets',
    parseBosePresets,
    ['<preset id="1">', '<ContentItem location="?data=', '<ContentItem location="/v1/playback/station/s1"/>'],
    ['<presets><ContentItem location="', '"/></presets>'],
  ),
  reader(
    'parseYamlList',
    (text) => parseYamlList(text, 1000),
    [' a: http://a/\n', '"a\\": ', "'a'': "],
    ['a:\n', ''],
  ),
  reader('parseIniList', (text) => parseIniList(text, 1000), ['a=b\n', '[a]', 'a=|'], ['[a]\n', '']),
  reader(
    'parseForeignId',
    parseForeignId,
    ['/Tune.ashx?id=', 's1', '-s1/', '0a'],
    ['https://tunein.com/', 's1'],
  ),
  reader('formatOf', formatOf, ['a:\n', '#\n', 'a: ']),
  reader(
    'readNetworks',
    (text) => readNetworks(text),
    ['{"name":"A","hosts":["a.example"]},', '{},'],
    ['[', '{}]'],
    ['[{"name":"', '"}]'],
  ),
  reader(
    'parseFeed',
    (text) => parseFeed(Buffer.from(text), HERE),
    ['<item>', '<title>', '<a b="', ITEM],
    ['<rss><channel>', '</channel></rss>'],
    ['<rss><channel><item><title>', '</title></item></channel></rss>'],
    ['<rss><channel><itunes:image href="', '"/></channel></rss>'],
  ),
  reader('decodeFeed', (text) => decodeFeed(Buffer.from(text)), [], ['<?xml encoding', '']),
  reader('cutAttributes', cutAttributes, ['="', "='", '="\'']),
  reader('asCharacters, standIn', (text) => asCharacters(standIn(text)), ['&lt;', '\ue000']),
  reader('plainText', (text) => plainText(text, 4000), ['<p>', '<!--', '<script>', '&lt;'], ['<p>', '']),
  reader('plainLine', (text) => plainLine(text, 300), ['<br>', '</']),
  reader('parseFeedDate', parseFeedDate, ['Mon, ', '5 Mar '], ['Mon, 5 Mar 2024 ', '']),
  reader('parseDuration', parseDuration, ['1:']),
  reader('parseLinks', parseLinks, ['<a>', '<a>;rel', '; rel = "'], ['<a>;', '']),
  reader('hubOf', (text) => hubOf({}, text, HERE), ['<a>; rel=hub,']),
  reader('detectFormat', detectFormat, ['<a:', '<?', 'a,'], ['<', ''], ['weekday,', '']),
  reader('readText', (text) => readText(bytesOf(text)), [], ['<?xml encoding=', '']),
  reader(
    'parseWeeklyCsv',
    (text) => parseWeeklyCsv(text, NEEDS),
    ['mon,6:00,A\n', 'mon-', '"mon\n'],
    ['weekday,start,show\n"mon', '",6:00,A'],
    ['weekday,start,show\nmon,"6', '",A'],
    ['weekday,start,show\nmon,6:00,"', '"'],
  ),
  reader('parseWeekdays', parseWeekdays, ['mon-', 'mon '], ['mon', 'tue']),
  reader('parseClock', parseClock, ['6:'], ['6', 'x']),
  reader(
    'parseIcs',
    (text) => parseIcs(text, NEEDS),
    ['BEGIN:VEVENT\nEND:VEVENT\n', 'A;B=C', ';A="', EVENT, ...COUNTED],
    ['BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260101T100000\nSUMMARY:', '\nEND:VEVENT\nEND:VCALENDAR'],
    ['BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART', '\nEND:VEVENT'],
  ),
  reader('readCalendar', readCalendar, ['A:', ';A=', ';A="'], ['A;B=', ''], ['DTSTART;', ':1']),
  reader('unescapeText', unescapeText, ['\\n']),
  reader('parseCalendarTime', parseCalendarTime, ['20260101T']),
  reader('parseLengthSeconds', parseLengthSeconds, ['PT1H'], ['P', '']),
  reader('parseInstant', parseInstant, ['2026-01-01T'], ['2026-01-01T00:00:00', '']),
  reader(
    'parseRecurrence',
    (text) => parseRecurrence(text, START, 'Europe/Berlin'),
    ['MO,', ';BYDAY=', '1,'],
    ['FREQ=WEEKLY;BYDAY=', ''],
    ['FREQ=DAILY;BYMONTH=', ''],
  ),
  reader(
    'parseXmltv',
    (text) => parseXmltv(text, NEEDS),
    ['<programme>', '<title>', PROGRAMME],
    ['<tv>', '</tv>'],
    ['<tv><programme start="20260101000000 +0000" channel="a"><title>', '</title></programme></tv>'],
  ),
  reader('parseXmltvTime', parseXmltvTime, ['20260101'], ['20260101000000 ', '']),
  reader(
    'readElements',
    (text) => readElements(text, { root: 'tv', names: new Set(['a']) }, () => undefined),
    ['<a>', '<a b="'],
    ['<tv><a>', '</a></tv>'],
  ),
  reader(
    'parseSpi',
    (text) => parseSpi(text, NEEDS),
    ['<programme>', '<mediumName>', SPI_PROGRAMME],
    ['<epg><schedule>', '</schedule></epg>'],
    ['<epg><schedule><programme><mediumName>', '</mediumName></programme></schedule></epg>'],
  ),
  ...[parseAzuracast, parseBbc, parseLibretime, parseSpinitron].map((parse, index) =>
    reader(
      ['parseAzuracast', 'parseBbc', 'parseLibretime', 'parseSpinitron'][index] ?? '',
      (text) => parse(text, NEEDS),
      ['{},', '[]', SHOW],
      ['[', '{}]'],
      ['{"items":[', '{}]}'],
      ['{"data":[{"data":[', '{}]}]}'],
      ['{"monday":[', '{}]}'],
      ['[{"name":"', '"}]'],
      ['{"items":[{"title":"', '"}]}'],
    ),
  ),
  reader('parseScheduleJson', parseScheduleJson, ['[', '{"a":']),
  reader('textOfHtml', textOfHtml, ['<a', '&lt;'], ['<', '']),
];
