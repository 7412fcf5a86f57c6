/** Parameters of a link from a radio's menu. */
const OF_A_RADIO = ['partnerid', 'serial', 'formats', 'device'];

/**
 * Where to go after signing in: back to the page of this site that the listener came from. A link's parameter is
 * untrusted, so only a plain path is accepted; it never leads elsewhere.
 */
export function nextPage(search: string): string {
  const params = new URLSearchParams(search);
  const next = params.get('next') ?? '';
  if (/^\/(?![/\\])[\w/?=&%.,:+-]*$/.test(next)) return next;
  return isFromRadio(params) ? '/radios' : '/presets';
}

export const isFromRadio = (params: URLSearchParams): boolean =>
  [...params.keys()].some((name) => OF_A_RADIO.includes(name.toLowerCase()));

/** The other page with the same way back. */
export const keepingNext = (path: string, search: string): string => {
  const kept = search.replace(/^\?/, '');
  return kept === '' ? path : `${path}?${kept}`;
};

/** The sign-in page, with the way back. */
export const signInFirst = (path: string): string => `/sign-in?next=${encodeURIComponent(path)}`;
