import type { Menu, Outline } from '@longwave/client';
import { type Item, readItem } from './item.ts';

/** A part of a list under a heading of its own, or without one. */
export interface Section {
  key: string;
  title: string | undefined;
  items: readonly Item[];
  /** The address of what comes next, where the list goes on. */
  more: string | undefined;
}

/** `nextStations`, `nextShows`, `nextTopics`: no line of the list, but how it goes on. */
const isMore = ({ key }: Outline): boolean => /^next[A-Z]/.test(key ?? '');

/**
 * What a menu holds, from top to bottom; lines outside of any group stand together where they are. How a group goes on may
 * stand inside of it or behind it, by its name: `nextTopics` belongs to `topics`.
 */
export function sectionsOf({ outlines }: Pick<Menu, 'outlines'>): Section[] {
  const sections: Section[] = [];
  let loose: Outline[] = [];
  const close = (): void => {
    if (loose.length > 0) sections.push(sectionOf(`loose-${sections.length}`, undefined, loose));
    loose = [];
  };
  for (const outline of outlines) {
    const group = isMore(outline)
      ? sections.find(({ key }) => outline.key?.toLowerCase() === `next${key}`)
      : undefined;
    if (group) group.more ??= outline.url;
    else if (outline.children.length === 0) loose.push(outline);
    else {
      close();
      sections.push(sectionOf(outline.key ?? `group-${sections.length}`, outline.text, outline.children));
    }
  }
  close();
  return sections;
}

const sectionOf = (key: string, title: string | undefined, lines: readonly Outline[]): Section => ({
  key,
  title,
  items: lines.filter((line) => !isMore(line)).map(readItem),
  more: lines.find(isMore)?.url,
});

/** The list with its next page behind it; what is there already is not shown twice. */
export function withPage(section: Section, page: Pick<Menu, 'outlines'>): Section {
  const next = sectionsOf(page);
  const there = new Set(section.items.map(({ key }) => key));
  const items = next.flatMap((part) => part.items).filter(({ key }) => !there.has(key));
  // A page that brings nothing new would lead in a circle.
  const more = items.length === 0 ? undefined : next.findLast((part) => part.more !== undefined)?.more;
  return { ...section, items: [...section.items, ...items], more: more === section.more ? undefined : more };
}
