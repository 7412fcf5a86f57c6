import { type Broken, inBody, lenient, refusing, withHeader, without } from './break.ts';

const ANY_STATION =
  '<outline type="audio" text="A" URL="http://radio.test/Tune.ashx?id=s1" guide_id="s1" item="station"/>';

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
    '4.12-station-genre 4.12-station-affiliate 4.12-station-recommendation 4.12-station-genre-recommendation 4.12-station-affiliate-genre-recommendation 4.12-show-genre 4.12-show-recommendation 4.12-show-genre-recommendation',
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
    'what is found is in another country',
    '4.12-country-search',
    inBody(/Describe/, 'Dublin, Ireland', 'Lyon, France'),
  ],
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
