/**
 * Runs in the head of the page, before any other script is there. Sets the theme and the fonts, so that nobody sees
 * others flash by, and asks, once something is seen, for what the page shows first, while the program is still on its way
 * (directory/first-call.ts takes the answer). The build puts it into index.html.
 */
const stored = (name) => {
  try {
    return localStorage.getItem(`longwave.${name}`);
  } catch {
    return null;
  }
};
const theme = stored('theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
if (stored('fonts')) document.documentElement.dataset.fonts = '';

/** Cities that name time zones, with their country: to ask the browser for all of them takes a second on a phone. */
const CITIES = {
  Africa: 'Algiers DZ Cairo EG Casablanca MA Johannesburg ZA Lagos NG Nairobi KE Tunis TN',
  America:
    'Argentina AR Bogota CO Buenos_Aires AR Chicago US Denver US Edmonton CA Guatemala GT Halifax CA Havana CU Lima PE Los_Angeles US Mexico_City MX Monterrey MX Montevideo UY New_York US Phoenix US Santiago CL Sao_Paulo BR Toronto CA Vancouver CA Winnipeg CA Caracas VE Guayaquil EC Detroit US Anchorage US Bahia BR Fortaleza BR Recife BR Manaus BR Tijuana MX',
  Asia: 'Almaty KZ Baghdad IQ Bangkok TH Beirut LB Calcutta IN Dhaka BD Dubai AE Ho_Chi_Minh VN Hong_Kong HK Jakarta ID Jerusalem IL Karachi PK Katmandu NP Kathmandu NP Kolkata IN Kuala_Lumpur MY Manila PH Riyadh SA Saigon VN Seoul KR Shanghai CN Singapore SG Taipei TW Tbilisi GE Tehran IR Tokyo JP Yekaterinburg RU Novosibirsk RU',
  Atlantic: 'Azores PT Canary ES Madeira PT Reykjavik IS',
  Europe:
    'Amsterdam NL Athens GR Belgrade RS Berlin DE Bratislava SK Brussels BE Bucharest RO Budapest HU Busingen DE Chisinau MD Copenhagen DK Dublin IE Helsinki FI Istanbul TR Kiev UA Kyiv UA Lisbon PT Ljubljana SI London GB Luxembourg LU Madrid ES Malta MT Minsk BY Moscow RU Oslo NO Paris FR Podgorica ME Prague CZ Riga LV Rome IT Sarajevo BA Skopje MK Sofia BG Stockholm SE Tallinn EE Tirane AL Vienna AT Vilnius LT Warsaw PL Zagreb HR Zurich CH',
  Pacific: 'Auckland NZ Honolulu US',
};
/** By the time zone, else by the browser's languages. It goes into the home page's call and nowhere else. */
const guessCountry = () => {
  try {
    const [area, city] = Intl.DateTimeFormat().resolvedOptions().timeZone.split('/');
    if (area === 'Australia') return 'AU';
    const names = CITIES[area]?.split(' ') ?? [];
    const at = names.indexOf(city);
    return at >= 0
      ? names[at + 1]
      : navigator.languages.map((tag) => new Intl.Locale(tag).region).find(Boolean);
  } catch {
    return undefined;
  }
};

/* What a page asks for first, with what it needs to show something to play; `pages/` asks for the very same. */
const RENDER = { render: 'json' };
const CALLS = {
  '': () => [['/Browse.ashx', { c: 'popular', country: countryOf(), ...RENDER }]],
  station: (id) => [['/Describe.ashx', { id, ...RENDER }]],
  search: (_id, { q, ...others }) =>
    isEmpty(others) && q?.trim()
      ? [
          ['/listen/api/stations', { q: q.trim() }],
          ['/Search.ashx', { query: q.trim(), ...RENDER }],
        ]
      : [],
  browse: (_id, { id, ...others }) =>
    isEmpty(others) && /^[rgln]\d{1,16}$/.test(id)
      ? [
          ['/listen/api/stations', { in: id }],
          ['/Browse.ashx', { id, ...RENDER }],
        ]
      : [],
  map: () => [['/listen/api/map']],
};
const isEmpty = (params) => Object.keys(params).length === 0;
let guessed;
const countryOf = () => (guessed ??= [guessCountry()])[0];
const begin = () => {
  const [, page = '', id] = /^\/listen(?:\/([a-z-]+)(?:\/([^/]+))?)?\/?$/.exec(location.pathname) ?? [
    '',
    'none',
  ];
  const { lang, ...params } = Object.fromEntries(new URLSearchParams(location.search));
  // The server took the language of the address, where it has one.
  const locale = (lang === undefined ? stored('language') : undefined) ?? document.documentElement.lang;
  const isPage = Object.hasOwn(CALLS, page) && (page === 'station') === (id !== undefined);
  const calls = isPage ? CALLS[page](id, params) : [];
  return calls.map(([path, { country, ...asked } = {}]) => {
    const query = new URLSearchParams({ ...asked, ...(country && { country }), locale });
    const url = page === 'map' ? path : `${path}?${query}`;
    const credentials = path.startsWith('/listen/') ? 'same-origin' : 'omit';
    const headers = credentials === 'omit' ? {} : { 'accept-language': locale };
    const signal = AbortSignal.timeout(15_000);
    return {
      url,
      answer: fetch(url, { credentials, headers, signal })
        .then(whole)
        .catch(() => undefined),
    };
  });
};
/* Read at once: in a slow network the program may come after the deadline, which ends what nobody has read yet. */
const whole = async (response) => new Response(await response.arrayBuffer(), response);
let calls;
globalThis.longwaveFirst = { country: countryOf, calls: () => (calls ??= begin()) };
/* Once the page is seen: the first question to Intl alone takes a phone a seventh of a second. */
new PerformanceObserver((seen) => {
  if (seen.getEntriesByName('first-contentful-paint').length > 0) globalThis.longwaveFirst.calls();
}).observe({ type: 'paint', buffered: true });
