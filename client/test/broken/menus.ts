import { type Broken, fifty, GENRE, inBody, INDEX, lenient, refusing, STATION } from './break.ts';

/** Sections 4.1 to 4.6: the menus. */
export const MENUS: readonly Broken[] = [
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
  [
    'the address wins over the account',
    '4.2-precedence',
    (sent, url, { headers }) =>
      /c=local&username/.test(url) && headers['x-forwarded-for'] === '1.1.1.1'
        ? { ...sent, body: sent.body.replace('Station s1', 'Station s2') }
        : sent,
  ],
  [
    'an account stands elsewhere',
    '4.2-account',
    inBody(/c=local&username=k/, /guide_id="s1"/g, 'guide_id="s3"'),
  ],
  ['an address has no stations', '4.2-address', inBody(/c=local/, /<outline type="audio".*\n/g, '')],
  ['local holds shows', '4.2-output', inBody(/c=local/, 'item="station"', 'item="show"')],
  ['places are text', '4.2-sub-locations', inBody(/c=local/, 'type="link"', 'type="text"')],
  ['presets are given to anybody', '4.3-partner 4.3-partner-valid 4.3-identity', lenient(/c=presets/)],
  ['presets are refused', '4.3-username 4.3-serial 4.3-formats', refusing(/c=presets/)],
  ['presets are never marked', '4.3-formats-told', inBody(/c=presets/, ' key="unavailable"', '')],
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
  ['a continent has no countries', '4.4-world-tree', inBody(/id=r1/, 'type="link"', 'type="text"')],
  ['no language is listed', '4.5-list', inBody(/c=lang/, 'type="link"', 'type="text"')],
  ['a language holds nothing', '4.5-filter', inBody(/filter=l1/, /<body>[^]*<\/body>/, '<body></body>')],
  [
    'stations are in another language',
    '4.5-restricted',
    inBody(/Describe/, '<language>English', '<language>German'),
  ],
  ['shows are in another language', '4.5-shows', inBody(/filter=l1/, 'guide_id="p1"', 'guide_id="p2"')],
  ['deeper links forget the language', '4.5-deeper', inBody(/filter=l1/, '&amp;filter=l1', '')],
  ['a station has no genre group', '4.6-id', inBody(STATION, 'key="genres"', 'key="related"')],
  ['a station has no affiliates', '4.6-id', inBody(STATION, 'key="affiliates"', 'key="related"')],
  [
    'a detail is left out',
    '4.6-genre-recommendation 4.6-affiliate-genre-recommendation',
    inBody(/Browse.*detail=/, /<outline text="Similar"[^]*?<\/outline>\n/, ''),
  ],
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
];
