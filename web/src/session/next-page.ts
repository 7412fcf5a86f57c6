/** Says that somebody came from the menu of a radio, which leads here with its own parameters. */
const OF_A_RADIO = ['partnerid', 'serial', 'formats', 'device'];

/**
 * Where to go when somebody is signed in: where they came from, if that is a page of this site. An address from a link is
 * anybody's word, so only a plain path is believed; it never leads elsewhere.
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

/** Where to sign in, and to come back from. */
export const signInFirst = (path: string): string => `/sign-in?next=${encodeURIComponent(path)}`;
