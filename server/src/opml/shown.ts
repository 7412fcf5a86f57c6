import type { Outline } from './document.ts';

/**
 * The outlines that are written. Clients stumble over an empty group (a typeless outline without children), and over a
 * text line inside a group; a group left with nothing else goes too. An empty preset folder is of type `container` and stays.
 */
export function shownOutlines(outlines: readonly Outline[]): readonly Outline[] {
  return outlines.every(isShown) ? outlines : outlines.filter(isShown);
}

/** The children of an outline that are written. */
export function shownChildren(outline: Outline): readonly Outline[] {
  const { children } = outline;
  if (!children) return [];
  return shownOutlines(
    outline.type === undefined ? children.filter((child) => child.type !== 'text') : children,
  );
}

const isShown = (outline: Outline): boolean =>
  outline.type !== undefined ||
  outline.attributes !== undefined ||
  outline.value !== undefined ||
  shownChildren(outline).length > 0;
