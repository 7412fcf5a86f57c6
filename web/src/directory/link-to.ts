/** Parameters about the caller; the site sets them itself, and a shared address must not reveal who shared it. */
const OF_THE_CALLER = [
  'partnerid',
  'serial',
  'username',
  'password',
  'formats',
  'locale',
  'lang',
  'latlon',
  'render',
  'device',
];

/** The site's page for an item or a menu of the directory, without the site's base; undefined if there is none. */
export function linkTo({
  guideId,
  url,
}: {
  guideId?: string | undefined;
  url?: string | undefined;
}): string | undefined {
  if (/^s\d+$/.test(guideId ?? '')) return `/station/${guideId}`;
  if (/^p\d+$/.test(guideId ?? '')) return `/show/${guideId}`;
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { pathname, searchParams } = new URL(url);
  return /\/browse\.ashx$/i.test(pathname) ? browseLink(searchParams) : undefined;
}

export function browseLink(params: URLSearchParams): string {
  const own = [...params].filter(([name]) => !OF_THE_CALLER.includes(name.toLowerCase()));
  return own.length === 0 ? '/browse' : `/browse?${new URLSearchParams(own).toString()}`;
}
