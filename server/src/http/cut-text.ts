/**
 * What people type and songs are called, which some programs send without escaping its `&`: Lyrion writes `query=R&B`
 * and `query=rock%20&%20pop`, and so do many that tell what a station plays.
 */
const FREE_TEXT = new Set(['query', 'title', 'artist', 'album']);

/**
 * What stands behind a text without a value and is a parameter all the same, such as `query=wnyc&call`. Not `c`: nobody
 * sends it bare, and people look for "A&C".
 */
const PARAMETERS = new Set(
  [
    [
      'id',
      'sid',
      'guideid',
      'guide_id',
      'stationid',
      'folderid',
      'favoriteid',
      'presetnumber',
      'type',
      'types',
    ],
    [
      'partnerid',
      'partnerkey',
      'serial',
      'username',
      'password',
      'email',
      'formats',
      'locale',
      'lang',
      'latlon',
    ],
    [
      'render',
      'callback',
      'device',
      'filter',
      'offset',
      'pivot',
      'detail',
      'options',
      'flatten',
      'autodetect',
    ],
    ['exact', 'version', 'playlists', 'itemurlscheme', 'reqattempt', 'listenid', 'audience', 'explain'],
    ['query', 'name', 'call', 'freq', 'hosts', 'genre', 'city', 'country', 'countryid', 'postalcode'],
    ['title', 'artist', 'album', 'commercial', 'url', 'streamurl', 'text', 'feedback', 'message', 'error'],
    ['start', 'stop', 'forward', 'live', 'limit', 'after'],
  ].flat(),
);

export const isFreeText = (name: string): boolean => FREE_TEXT.has(name);

/** Whether a name without a value can be the rest of the text before it. */
export const isRestOfText = (name: string): boolean => !PARAMETERS.has(name);
