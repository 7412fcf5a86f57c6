/** Menus of all stations of a kind; the server knows which genre each is about. */
const TOP_GENRES = new Set(['music', 'talk', 'sports']);
/** Places, genres, languages, networks and countries. */
const GROUP = /^[rglan]\d{1,16}$/;
/** What says that a menu is a list of stations, the most popular first: so is every list here. */
const SAYS_NOTHING = new Set(['s', 'popular', '']);

/**
 * The groups whose stations a menu is about, as the server lists them: `id=r12&filter=s:g5` is `r12,g5`. Undefined for
 * menus that are about something else: letters, orders, shows.
 */
export function listedIn(query: string): string | undefined {
  const { id, c, filter = '', ...others } = Object.fromEntries(new URLSearchParams(query));
  if (Object.keys(others).length > 0) return undefined;
  const tokens = filter.split(':').filter((token) => !SAYS_NOTHING.has(token));
  if (!tokens.every((token) => GROUP.test(token))) return undefined;
  const own = id ?? (c !== undefined && TOP_GENRES.has(c) ? c : undefined);
  if (own === undefined) return c === 'lang' && tokens.length > 0 ? tokens.join(',') : undefined;
  const isGroup = c === undefined ? GROUP.test(own) : id === undefined || GROUP.test(id);
  return isGroup ? [own, ...tokens].join(',') : undefined;
}
