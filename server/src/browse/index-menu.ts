import type { Call } from '../http/endpoint.ts';
import type { Address, OpmlDocument, Outline, Target } from '../opml/document.ts';
import { linkOutline } from '../opml/outlines.ts';

const byClassifier = (c: string): Target => ({ path: '/Browse.ashx', params: [['c', c]] });

/** Order and keys are the protocol's. "By Location" has a key too: real clients drop an entry without one, or crash. */
const ENTRIES: readonly Outline[] = [
  linkOutline('Local Radio', byClassifier('local'), { key: 'local' }),
  linkOutline('Talk', byClassifier('talk'), { key: 'talk' }),
  linkOutline('Sports', byClassifier('sports'), { key: 'sports' }),
  linkOutline('Music', byClassifier('music'), { key: 'music' }),
  linkOutline('By Location', { path: '/Browse.ashx', params: [['id', 'r0']] }, { key: 'location' }),
  linkOutline('By Language', byClassifier('lang'), { key: 'language' }),
  linkOutline('Podcasts', byClassifier('podcast'), { key: 'podcast' }),
];

/** The first menu, the same for every caller but for its last line. */
export const indexMenu = ({ caller }: Call, registrationUrl: string | undefined): OpmlDocument => ({
  title: 'Browse',
  outlines: [...ENTRIES, presets(caller, registrationUrl)],
});

/** Who is named gets to the presets, anyone else to where an account is made. */
function presets({ username, serial }: Call['caller'], registrationUrl: string | undefined): Outline {
  const isNamed = username !== undefined || serial !== undefined;
  const target: Target | Address = isNamed ? byClassifier('presets') : registration(registrationUrl);
  return linkOutline('My Presets', target, { key: 'presets' });
}

/** Clients cut an address at its `?`, so it has one. */
const registration = (url: string | undefined): Target | Address =>
  url === undefined
    ? { path: '/listen/register', params: [] }
    : { address: url.includes('?') ? url : `${url}?` };
