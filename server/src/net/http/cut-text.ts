/**
 * Free text that some programs send without escaping `&`: Lyrion writes `query=R&B` and `query=rock%20&%20pop`, and so
 * do many programs that report songs.
 */
export const FREE_TEXT = ['query', 'title', 'artist', 'album'] as const;
const freeText: ReadonlySet<string> = new Set(FREE_TEXT);

/**
 * Names that are parameters even without a value after free text, such as `query=wnyc&call`. Not `c`: it is never sent
 * bare, and people search for "A&C".
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

export const isFreeText = (name: string): boolean => freeText.has(name);

/** Whether a name without a value may be the continuation of the text before it. */
export const isRestOfText = (name: string): boolean => !PARAMETERS.has(name);
