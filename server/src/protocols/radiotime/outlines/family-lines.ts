import type { DirectoryAffiliate } from '../../../core/directory/snapshot/snapshot.ts';
import type { Words } from '../../../core/i18n/words.ts';
import { keptOutline, type Outline } from '../../../formats/opml/document.ts';
import { linkOutline } from '../../../formats/opml/outlines.ts';
import { guideId } from '../../../lib/guide-id.ts';

/** On a small display a link is a line like any other: more of them would push stations off the first screens. */
export const MAX_FAMILY_LINKS = 3;

/** By language; those without a filter are created once. */
const kept = new WeakMap<DirectoryAffiliate, Map<string, Outline>>();

/** "More from Radio Paradise": the network behind a line that stands for several of its channels. */
export function familyLink(network: DirectoryAffiliate, words: Words, filter?: string): Outline {
  if (filter !== undefined) return makeLink(network, words, filter);
  let links = kept.get(network);
  if (!links) kept.set(network, (links = new Map()));
  let link = links.get(words.language);
  if (!link) links.set(words.language, (link = keptOutline(makeLink(network, words))));
  return link;
}

function makeLink({ id, name }: DirectoryAffiliate, words: Words, filter?: string): Outline {
  const affiliate = guideId('a', id);
  const target = { path: '/Browse.ashx', params: [['id', affiliate]], filter } as const;
  return linkOutline(words.text('browse.moreFrom', { name }), target, { guideId: affiliate });
}

/** The lines of some stations, each link right behind the station that stands for its network. */
export function withFamilyLinks<T>(
  stations: readonly T[],
  networkOf: (station: T) => DirectoryAffiliate | undefined,
  linesOf: (some: readonly T[]) => readonly Outline[],
  linkOf: (network: DirectoryAffiliate) => Outline,
): Outline[] {
  const outlines: Outline[] = [];
  let from = 0;
  for (let at = 0; at < stations.length; at += 1) {
    const network = networkOf(stations[at]!);
    if (!network) continue;
    outlines.push(...linesOf(stations.slice(from, at + 1)), linkOf(network));
    from = at + 1;
  }
  outlines.push(...linesOf(stations.slice(from)));
  return outlines;
}
