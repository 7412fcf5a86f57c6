import type { Menu, Outline } from '@longwave/client';
import { type Item, readItem } from '../item.ts';

/** A part of a list, with or without a heading. */
export interface Section {
  key: string;
  title: string | undefined;
  items: readonly Item[];
  /** The address of the next page, if there is one. */
  more: string | undefined;
}

/** `nextStations`, `nextShows`, `nextTopics`: not a line of the list, but the link to its next page. */
const isMore = ({ key }: Outline): boolean => /^next[A-Z]/.test(key ?? '');

/**
 * The parts of a menu, from top to bottom; lines outside any group form a part where they are. The link to a group's
 * next page may be inside or after it, matched by its name: `nextTopics` belongs to `topics`.
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

/** Appends the next page; duplicates are dropped. */
export function withPage(section: Section, page: Pick<Menu, 'outlines'>): Section {
  const next = sectionsOf(page);
  const there = new Set(section.items.map(({ key }) => key));
  const items = next.flatMap((part) => part.items).filter(({ key }) => !there.has(key));
  // A page without anything new would lead in a circle.
  const more = items.length === 0 ? undefined : next.findLast((part) => part.more !== undefined)?.more;
  return { ...section, items: [...section.items, ...items], more: more === section.more ? undefined : more };
}
