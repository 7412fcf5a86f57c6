import { type Broken, inBody, lenient, refusing, SCHEDULE, shifted, START, without } from './break.ts';

/** Twelve hours and more of a schedule. */
const LAST_ENTRIES = /(?:<outline .*\n){9}\s*<\/body>/;

/** Sections 4.7 to 4.9: schedules, shows and what is played. */
export const LISTENING: readonly Broken[] = [
  ['schedules are refused', '4.7-c-id 4.7-without', refusing(SCHEDULE)],
  ['a schedule of nothing is given', '4.7-id-required', lenient(/c=schedule/)],
  ['tz is missing', '4.7-username', inBody(SCHEDULE, ...without('tz'))],
  ['a day is another day', '4.7-start 4.7-stop', inBody(/&start=/, START, shifted)],
  ['zones are days apart', '4.7-username', inBody(/schedule.*username/, START, shifted)],
  ['the last day is cut', '4.7-stop', inBody(/&stop=/, LAST_ENTRIES, '</body>')],
  ['half a day lies ahead', '4.7-forward', inBody(/start=2001/, LAST_ENTRIES, '</body>')],
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
  ['a song begins at no time', '4.8-playlist', inBody(/c=playlist/, 'T12:00:00', ' noon')],
  ['topics are links', '4.8-topics', inBody(/c=topics/, 'type="audio"', 'type="link"')],
  ['new topics are shows', '4.8-newest-topics', inBody(/p:topic/, 'guide_id="t1"', 'guide_id="p1"')],
  ['a topic does not say whose it is', '4.8-newest-topics', inBody(/p:topic/, '&amp;sid=p1', '')],
  [
    'the topics of a show come last',
    '4.9-topics-first',
    inBody(/c=pbrowse/, /(<outline text="Recent"[^]*?<\/outline>\n)([^]*?)(\t?<\/body>)/, '$2$1$3'),
  ],
  [
    'a link has the key of a group',
    '4.9-topics-first',
    inBody(
      /c=pbrowse/,
      '</body>',
      '<outline type="link" text="All" URL="http://a.test/?" key="topics"/>\n</body>',
    ),
  ],
  [
    'topics are not found',
    '4.14-topics 4.14-topic-title',
    inBody(/p:topic/, /<outline type="audio".*\n/g, ''),
  ],
  [
    'a show is announced and not heard',
    '4.9-show-tune',
    inBody(/Tune\.ashx\?id=p1/, 'stream.test/1', 'radio.test/nostream'),
  ],
  ['one stream is two', '4.9-one-stream', inBody(/id=e1/, '\n', '\nhttp://stream.test/2\n')],
  [
    'an unknown id gives a stream',
    '4.9-unknown',
    inBody(/id=s9999/, '#STATUS: 400', 'http://stream.test/1.mp3'),
  ],
];
