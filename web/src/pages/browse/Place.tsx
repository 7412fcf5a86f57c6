import { type ReactNode, useMemo } from 'react';
import { useSearch } from 'wouter';
import { Broken } from '../../design/Broken.tsx';
import { Slow } from '../../design/Slow.tsx';
import { SectionView } from '../../items/lists/SectionView.tsx';
import { sectionsOf } from '../../items/lists/sections.ts';
import { chosenIn, isNarrowed } from '../../listing/filters.ts';
import { ListingView } from '../../listing/ListingView.tsx';
import { SuggestLink } from '../../listing/SuggestLink.tsx';
import { useListing } from '../../listing/use-listing.ts';
import { partsOf } from './place-parts.ts';
import { useMenu } from './use-menu.ts';
import { Ways } from './Ways.tsx';

interface Props {
  query: string;
  /** What it lists. */
  groups: string;
  linkState: object;
  /** The menu as radios have it, for a place without stations. */
  children: ReactNode;
}

/** A place, a genre or a language: the ways further in, and all its stations at once. */
export function Place({ query, groups, linkState, children }: Props): ReactNode {
  const chosen = chosenIn(useSearch());
  const menu = useMenu(query);
  const listing = useListing({ in: groups }, chosen);
  const parts = useMemo(
    () => (menu.value ? partsOf(sectionsOf(menu.value), groups) : undefined),
    [menu.value, groups],
  );
  if (menu.error !== undefined) return <Broken error={menu.error} again={menu.again} />;
  // Both together: what comes later would push away what is being read.
  if (!parts || !listing || (!listing.listed && listing.isWaiting)) return <Slow />;
  if (listing.listed?.total === 0 && !isNarrowed(chosen)) return children;
  return (
    <>
      <Ways key={query} query={query} ways={parts.ways} linkState={linkState} />
      {parts.near && !isNarrowed(chosen) && <SectionView section={parts.near} linkState={linkState} />}
      <ListingView listing={listing} linkState={linkState} />
      {parts.others.map((section) => (
        <SectionView key={section.key} section={section} linkState={linkState} />
      ))}
      <SuggestLink />
    </>
  );
}
