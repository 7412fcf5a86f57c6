import { type Broken, inBody, lenient, refusing, withHeader, without } from './break.ts';

const ANY_STATION =
  '<outline type="audio" text="A" URL="http://radio.test/Tune.ashx?id=s1" guide_id="s1" item="station"/>';

const STATION_ABROAD = ANY_STATION.replaceAll('s1', 's2');
const ANY_AUDIO = /<outline type="audio".*\n/g;

/** Sections 4.12 to 4.14: what is described and what is found. */
export const FINDING: readonly Broken[] = [
  [
    'now playing is one line',
    '4.12-nowplaying rule-24',
    inBody(/nowplaying/, /<outline type="text" text="(?:Folk|Duo|Hearth).*\n/g, ''),
  ],
  [
    'now playing tells of another show',
    '4.12-nowplaying-show',
    inBody(/nowplaying/, 'Hearth Songs', 'Morning Desk'),
  ],
  ['now playing tells no genre', '4.12-nowplaying-show', inBody(/nowplaying/, 'text="Folk"', 'text="Noise"')],
  [
    'now playing leaves out the artist',
    '4.12-nowplaying-song',
    inBody(/nowplaying/, 'Duo - First Light', 'First Light'),
  ],
  ['now playing has no image', '4.12-nowplaying-image', inBody(/nowplaying/, ...without('image'))],
  ['now playing has no lifetime', '4.12-nowplaying-ttl rule-24', withHeader('Cache-Control', 'no-cache')],
  ['now playing of nothing is given', '4.12-nowplaying-id', lenient(/nowplaying/)],
  [
    'described details are others',
    '4.12-station-genre 4.12-station-affiliate 4.12-station-recommendation 4.12-station-genre-recommendation 4.12-station-affiliate-genre-recommendation 4.12-show-genre 4.12-show-recommendation 4.12-show-genre-recommendation 4.12-show-affiliate-genre-recommendation',
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
  [
    'a described detail is left out beside others',
    '4.12-station-genre-recommendation 4.12-station-affiliate-genre-recommendation 4.12-show-genre-recommendation 4.12-show-affiliate-genre-recommendation',
    inBody(/Describe.*detail=.*,/, /<outline text="Similar"[^]*?<\/outline>\n/, ''),
  ],
  [
    'a show belongs to no network',
    '4.12-show-affiliate',
    inBody(/Describe.*id=p1/, /<outline text="Networks"[^]*?<\/outline>\n/, ''),
  ],
  ['a show belongs to another network', '4.12-show-affiliate', inBody(/Describe.*id=p1/, '"a1"', '"a2"')],
  ['a network cannot be opened', '4.12-show-affiliate', refusing(/id=a1/)],
  ['a country cannot be searched in', '4.12-country-search', refusing(/country=n/)],
  ['countryId is no country', '4.12-country-search', refusing(/countryId=n/)],
  ['nothing is found in a country', '4.12-country-search', inBody(/country=n7/, ANY_AUDIO, '')],
  [
    'what is found is in another country too',
    '4.12-country-search',
    inBody(/country=n7/, '</body>', `${STATION_ABROAD}</body>`),
  ],
  [
    'countryId does not filter',
    '4.12-country-search',
    inBody(/countryId=n0/, '</body>', `${ANY_STATION}</body>`),
  ],
  ['a country has no menu', '4.12-country-browse 2.1-id-parameter', refusing(/id=n\d/)],
  [
    'the menu of a country is that of the world',
    '4.12-country-browse',
    inBody(/id=r3/, '<body>', `<body>${STATION_ABROAD}`),
  ],
  ['a country leads to no stations', '4.12-country-browse', inBody(/id=r3/, ANY_AUDIO, '')],
  [
    'a country does not filter',
    '4.12-country-browse',
    inBody(/filter=n7/, '<body>', `<body>${STATION_ABROAD}`),
  ],
  ['a country filters everything', '4.12-country-browse', inBody(/filter=n7/, ANY_AUDIO, '')],
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
  ['an empty query finds all', '4.14-empty 4.14-song-empty 7-query', lenient(/Search/)],
  ['every station plays every song', '4.14-song', inBody(/query=zz/, '</body>', `${ANY_STATION}</body>`)],
];
