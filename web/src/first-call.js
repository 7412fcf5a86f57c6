/**
 * Runs in the head of the page, before any other script is there. Sets the theme, so that nobody sees the other one
 * flash by, and asks for what the home page shows first while the program is still on its way (directory/first-call.ts
 * takes the answer). The build puts it into index.html.
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
/** By the time zone, else by the browser's languages. It goes into the one call below and nowhere else. */
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

globalThis.longwaveFirst = { country: guessCountry() };
if (/^\/listen\/?$/.test(location.pathname)) {
  const { country } = globalThis.longwaveFirst;
  // The server took the language of the address, where it has one.
  const isAsked = new URLSearchParams(location.search).has('lang');
  const locale = (isAsked ? null : stored('language')) ?? document.documentElement.lang;
  const params = new URLSearchParams({ c: 'popular', ...(country && { country }), locale, render: 'json' });
  const url = `/Browse.ashx?${params}`;
  const answer = fetch(url, { credentials: 'omit' }).catch(() => undefined);
  globalThis.longwaveFirst = { country, url, answer };
}
