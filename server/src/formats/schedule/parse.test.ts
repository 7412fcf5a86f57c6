import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PARSERS, detectFormat } from './parse.ts';
import type { ParsedSchedule } from './schedule.ts';

const BERLIN = { zone: () => 'Europe/Berlin' };

function parse(
  format: string,
  text: string,
  deps: { zone: () => string; channel?: string } = BERLIN,
): ParsedSchedule {
  const parser = PARSERS.get(format);
  assert.ok(parser, format);
  return parser(text, deps);
}

const entriesOf = (schedule: ParsedSchedule): string[] =>
  schedule.entries.map(({ title, start, end, parent }) =>
    [parent && `${parent}:`, title, start.toString(), end?.toString()].filter(Boolean).join(' '),
  );
const rulesOf = (schedule: ParsedSchedule): string[] =>
  schedule.rules.map(({ title, zone, start, lengthSeconds, recurrence, except }) =>
    [title, zone, start.toString({ smallestUnit: 'minute' }), lengthSeconds, recurrence, ...except]
      .filter((part) => part !== undefined)
      .join(' '),
  );

const xmltv = (...programmes: string[]): string => `<tv>${programmes.join('')}</tv>`;
const programme = (
  start: string,
  rest = 'stop="20260102030405"',
  channel = 'a',
  title = '<title>A</title>',
): string => `<programme start="${start}" ${rest} channel="${channel}">${title}</programme>`;
const spi = (inside: string): string =>
  `<spi:epg xmlns:spi="x"><spi:schedule>${inside}</spi:schedule></spi:epg>`;
const calendar = (...lines: string[]): string => ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n');
const event = (...lines: string[]): string =>
  ['BEGIN:VEVENT', 'SUMMARY:A', ...lines, 'END:VEVENT'].join('\r\n');

test('XMLTV: every way to write a time, hosts and markup', () => {
  const text = xmltv(
    programme('20260101060000 +0200'),
    programme('202601010600 -0330'),
    programme('20260101060000'),
    programme('20260101060000 Z', ''),
    programme('20261301060000', '', 'a', '<title>B</title>'),
    programme('20260101060000 CEST'),
    programme('20260101060000', '', 'a', '<title> </title>'),
  );
  const schedule = parse('xmltv', text);
  assert.deepEqual(entriesOf(schedule), [
    'A 2026-01-01T04:00:00Z 2026-01-02T03:04:05Z',
    'A 2026-01-01T09:30:00Z 2026-01-02T03:04:05Z',
    'A 2026-01-01T06:00:00Z 2026-01-02T03:04:05Z',
    'A 2026-01-01T06:00:00Z',
  ]);
  assert.deepEqual(schedule.passedOver, [
    '"B": the start or stop is not a time',
    '"A": the start or stop is not a time',
    'a programme without a title',
  ]);
  const given = parse(
    'xmltv',
    xmltv(
      programme(
        '20260101060000',
        '',
        'a',
        '<title><![CDATA[A & B]]></title><desc>x &amp; y</desc><credits><presenter>Ann</presenter><presenter>Ben</presenter></credits><icon src="javascript:x"/><url>https://a.example/</url>',
      ),
    ),
  );
  assert.deepEqual(given.entries[0], {
    start: Temporal.Instant.from('2026-01-01T06:00:00Z'),
    end: undefined,
    title: 'A & B',
    description: 'x & y',
    hosts: 'Ann, Ben',
    homepage: 'https://a.example/',
  });
});

test('XMLTV: of several channels one is chosen', () => {
  const text = xmltv(programme('20260101060000', '', 'a'), programme('20260101070000', '', 'b'));
  assert.throws(() => parse('xmltv', text), /several channels: choose one with --channel, such as a, b/);
  assert.throws(() => parse('xmltv', text, { ...BERLIN, channel: 'c' }), /choose one/);
  assert.deepEqual(entriesOf(parse('xmltv', text, { ...BERLIN, channel: 'b' })), ['A 2026-01-01T07:00:00Z']);
});

test('XML that wants more than to be read is refused', () => {
  const deep = '<a>'.repeat(70) + '</a>'.repeat(70);
  for (const [text, why] of [
    ['<!DOCTYPE tv [<!ENTITY x "y">]><tv/>', /entity attacks/],
    ['<tv><programme></tv>', /not well-formed/],
    ['<tv>\r\n<a>\n</tv>', /not well-formed XML: 3:5: /],
    ['<rss/>', /root is <rss>, not <tv>/],
    [`<tv>${deep}</tv>`, /nests deeper/],
    [`<tv><programme>${'<a/>'.repeat(6000)}</programme></tv>`, /over 5000 elements/],
    [xmltv(...Array.from({ length: 20_001 }, () => programme('20260101060000'))), /over 20000 entries/],
  ] as const)
    assert.throws(() => parse('xmltv', text), why, text.slice(0, 60));
});

test('SPI: names, repeats, parts at their own time or after the start, scopes', () => {
  const text = spi(`<scope startTime="2026-01-01T00:00:00Z" stopTime="2026-01-02T00:00:00Z"/>
    <scope startTime="2025-12-31T00:00:00Z" stopTime="2026-01-01T00:00:00Z"/>
    <programme><mediumName>Sixteen letters.</mediumName><longName>Sixteen letters. And more</longName>
      <location><time time="2026-01-01T06:00:00+01:00" duration="PT1H30M"/><time time="2026-01-01T18:00:00+01:00" duration="P1D"/></location>
      <programmeEvent><mediumName>News</mediumName><location><relativeTime time="PT30M" duration="PT5M"/></location></programmeEvent></programme>
    <programme><shortName>Short</shortName><location><time time="2026-01-01T09:00:00Z" duration="-PT1H"/></location></programme>
    <programme><location><time time="2026-01-01T09:00:00Z" duration="PT1H"/></location></programme>`);
  const schedule = parse('spi', text);
  assert.deepEqual(entriesOf(schedule), [
    'Sixteen letters. And more 2026-01-01T05:00:00Z 2026-01-01T06:30:00Z',
    'Sixteen letters. And more: News 2026-01-01T05:30:00Z 2026-01-01T05:35:00Z',
    'Sixteen letters. And more 2026-01-01T17:00:00Z 2026-01-02T17:00:00Z',
    'Sixteen letters. And more: News 2026-01-01T17:30:00Z 2026-01-01T17:35:00Z',
  ]);
  assert.deepEqual(schedule.passedOver, ['"Short": no time with a duration', 'a programme without a name']);
  assert.deepEqual(
    [schedule.covers?.from.toString(), schedule.covers?.until.toString()],
    ['2025-12-31T00:00:00Z', '2026-01-02T00:00:00Z'],
  );
});

const ICS: [what: string, lines: string[], rules: string[], passedOver?: RegExp][] = [
  [
    'by the zone beside it',
    ['DTSTART;TZID=America/New_York:20260101T060000', 'DTEND;TZID=America/New_York:20260101T070000'],
    ['A America/New_York 2026-01-01T06:00 3600'],
  ],
  ['in UTC', ['DTSTART:20260101T060000Z', 'DURATION:PT90M'], ['A UTC 2026-01-01T06:00 5400']],
  ['by the station’s clock', ['DTSTART:20260101T060000'], ['A Europe/Berlin 2026-01-01T06:00']],
  [
    'a zone of another maker’s',
    ['DTSTART;TZID="W. Europe Standard Time":20260101T060000'],
    ['A Europe/Berlin 2026-01-01T06:00'],
  ],
  [
    'an end in another zone',
    ['DTSTART;TZID=Europe/Berlin:20260101T060000', 'DTEND:20260101T060000Z'],
    ['A Europe/Berlin 2026-01-01T06:00 3600'],
  ],
  ['a whole day', ['DTSTART;VALUE=DATE:20260101'], ['A Europe/Berlin 2026-01-01T00:00 86400']],
  [
    'a count',
    ['DTSTART:20260101T060000', 'RRULE:FREQ=DAILY;COUNT=3'],
    ['A Europe/Berlin 2026-01-01T06:00 FREQ=DAILY;UNTIL=20260103T060000'],
  ],
  [
    'exceptions in UTC and by day',
    [
      'DTSTART:20260101T060000',
      'RRULE:FREQ=DAILY',
      'EXDATE:20260102T050000Z,20260103T050000Z',
      'EXDATE;VALUE=DATE:20260105',
    ],
    ['A Europe/Berlin 2026-01-01T06:00 FREQ=DAILY 2026-01-02T06:00:00 2026-01-03T06:00:00 2026-01-05'],
  ],
  [
    'more dates',
    ['DTSTART:20260101T060000', 'RDATE:20260110T080000'],
    ['A Europe/Berlin 2026-01-01T06:00', 'A Europe/Berlin 2026-01-10T08:00'],
  ],
  ['cancelled', ['DTSTART:20260101T060000', 'STATUS:CANCELLED'], []],
  [
    'an alarm’s own properties',
    ['DTSTART:20260101T060000', 'BEGIN:VALARM', 'DURATION:PT5M', 'END:VALARM'],
    ['A Europe/Berlin 2026-01-01T06:00'],
  ],
  [
    'a rule nobody understands',
    ['DTSTART:20260101T060000', 'RRULE:FREQ=SECONDLY'],
    [],
    /"A": its RRULE: FREQ=SECONDLY is not one of/,
  ],
  ['no start', ['DURATION:PT1H'], [], /"A": it has no DTSTART/],
  [
    'an end before the start',
    ['DTSTART:20260101T060000', 'DTEND:20260101T050000'],
    [],
    /ends before it starts/,
  ],
];
for (const [what, lines, rules, passedOver] of ICS) {
  test(`iCalendar: ${what}`, () => {
    const schedule = parse('ics', calendar(event(...lines)));
    assert.deepEqual(rulesOf(schedule), rules);
    if (passedOver) assert.match(schedule.passedOver.join('\n'), passedOver);
    else assert.deepEqual(schedule.passedOver, []);
  });
}

test('iCalendar: folded lines, escapes, one moved and one cancelled of many', () => {
  const text = calendar(
    'X-WR-TIMEZONE:Europe/Paris',
    event(
      'UID:1',
      'DTSTART:20260101T060000',
      'DURATION:PT1H',
      'RRULE:FREQ=DAI',
      ' LY',
      String.raw`DESCRIPTION:one\, two\nthree`,
    ),
    event('UID:1', 'RECURRENCE-ID:20260102T060000', 'DTSTART:20260102T080000', 'DURATION:PT2H'),
    event('UID:1', 'RECURRENCE-ID:20260103T060000', 'DTSTART:20260103T060000', 'STATUS:CANCELLED'),
  );
  const schedule = parse('ics', text, { zone: () => assert.fail('the calendar names its zone') });
  assert.deepEqual(rulesOf(schedule), [
    'A Europe/Paris 2026-01-01T06:00 3600 FREQ=DAILY 2026-01-02T06:00:00 2026-01-03T06:00:00',
    'A Europe/Paris 2026-01-02T08:00 7200',
  ]);
  assert.equal(schedule.rules[0]?.description, 'one, two three');
  assert.throws(() => parse('ics', 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:A'), /ends in the middle/);
});

const rulesOfRow = (row: string): string[] => rulesOf(parse('csv', `Day;Start;End;Show\n${row}`));
const weekly = (days: string, start: string, seconds = ''): string[] => [
  ['A Europe/Berlin', `2001-01-01T${start}`, seconds, `FREQ=WEEKLY;BYDAY=${days}`].filter(Boolean).join(' '),
];

test('a table: weekdays and times as people write them', () => {
  assert.deepEqual(rulesOfRow('Mon-Fri;6:00;9.30;A'), weekly('MO,TU,WE,TH,FR', '06:00', '12600'));
  assert.deepEqual(rulesOfRow('fri-mon;22:00;2:00;A'), weekly('MO,FR,SA,SU', '22:00', '14400'));
  assert.deepEqual(rulesOfRow('Sat, Sunday;6 pm;12 am;A'), weekly('SA,SU', '18:00', '21600'));
  assert.deepEqual(rulesOfRow('weekend;00:00;24:00;A'), weekly('SA,SU', '00:00', '86400'));
  assert.deepEqual(rulesOfRow('thurs;20:00;;A'), weekly('TH', '20:00'));
  // Midnight at the end of a Sunday is Monday's.
  assert.deepEqual(rulesOfRow('sun;24:00;1:00;A'), weekly('MO', '00:00', '3600'));
  assert.deepEqual(rulesOfRow('sat-sun;24:00;24:00;A'), weekly('SU,MO', '00:00', '86400'));
  for (const [row, why] of [
    ['someday;6:00;7:00;A', /row 2: "someday" is not a weekday; write mon/],
    ['mon;25:00;7:00;A', /row 2: "25:00" is not a time of day/],
    ['mon;6:00;7:00;', /row 2: it names no show/],
  ] as const)
    assert.throws(() => rulesOfRow(row), why);
  assert.throws(() => parse('csv', 'a,b\n1,2'), /must name the columns, including "weekday"/);
});

test('a row that cannot be read is passed over and told of, and the others are read', () => {
  const table =
    'sep=;\nDay;Start;End;Show\nmon;6:00;7:00;A\nsomeday;6:00;7:00;A\n"tue;6:00;7:00;A\nwed;6:00;7:00;A\n';
  const schedule = parse('csv', table);
  assert.deepEqual(rulesOf(schedule), [...weekly('MO', '06:00', '3600'), ...weekly('WE', '06:00', '3600')]);
  assert.match(
    schedule.passedOver.join('\n'),
    /^row 4: "someday" is not a weekday.*\nrow 5: a quoted cell is never closed/,
  );
});

test('JSON that is not what it should be is passed over, never believed', () => {
  const cases: [format: string, text: string][] = [
    [
      'azuracast',
      '[{"title":"A","start_timestamp":"x","end_timestamp":1e300},{"start_timestamp":1,"end_timestamp":2},null,7]',
    ],
    [
      'spinitron',
      '{"items":[{"title":"A","start":"2026"},{"title":5,"start":"2026-01-01T00:00:00Z","end":"2026-01-01T01:00:00Z"}]}',
    ],
    [
      'libretime',
      '{"monday":[{"name":"A","starts":"2026-02-30 06:00:00","ends":"2026-02-30 07:00:00"},{"starts":"2026-01-01 06:00:00","ends":"2026-01-01 07:00:00"}]}',
    ],
    ['bbc', '{"data":[{"data":[{"titles":{"primary":"A"},"start":"x"},{"titles":null}]}]}'],
  ];
  for (const [format, text] of cases) {
    const { entries, passedOver } = parse(format, text);
    assert.deepEqual([entries, passedOver.length], [[], 2], format);
  }
  assert.throws(() => parse('bbc', '{'), /not valid JSON/);
});

test('a long text is cut to what there is room for, a long address is left out', () => {
  const item = {
    title: 'x'.repeat(1000),
    description: `<p>${'y'.repeat(9000)}</p>`,
    url: `https://a.example/${'z'.repeat(5000)}`,
    start: '2026-01-01T00:00:00Z',
    end: '2026-01-01T01:00:00Z',
  };
  const [entry] = parse('spinitron', JSON.stringify({ items: [item] })).entries;
  assert.deepEqual(
    [entry?.title.length, entry?.description?.length, entry?.homepage],
    [300, 5000, undefined],
  );
});

test('the format is seen from the content', () => {
  const cases: [text: string, format: string | undefined][] = [
    ['\uFEFF<?xml version="1.0"?>\n<!-- x --><!DOCTYPE tv SYSTEM "xmltv.dtd"><tv>', 'xmltv'],
    [spi(''), 'spi'],
    ['BEGIN:VCALENDAR', 'ics'],
    ['[]', 'azuracast'],
    ['{"items":[]}', 'spinitron'],
    ['{"monday":[]}', 'libretime'],
    ['{"data":[]}', 'bbc'],
    ['"Day";"From";"Title"\nmon;6:00;A', 'csv'],
    ['<rss/>', undefined],
    ['{"status":"error"}', undefined],
    ['hello', undefined],
    ['', undefined],
  ];
  for (const [text, format] of cases) assert.equal(detectFormat(text), format, text);
});
