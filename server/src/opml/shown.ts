import type { Outline } from './document.ts';

/**
 * The outlines that are written. Clients stumble over an empty group (a typeless outline without children), and over a
 * text line inside a group; a group left with nothing else goes too. An empty preset folder is of type `container` and stays.
 */
export function shownOutlines(outlines: readonly Outline[]): readonly Outline[] {
  return outlines.every(isShown) ? outlines : outlines.filter(isShown);
}

/** The children of an outline that are written. */
export function shownChildren({ type, children }: Outline): readonly Outline[] {
  if (!children) return NONE;
  if (type !== undefined) return shownOutlines(children);
  return children.every(isShownInGroup) ? children : children.filter(isShownInGroup);
}

const NONE: readonly Outline[] = [];

const isShownInGroup = (child: Outline): boolean => child.type !== 'text' && isShown(child);

const isShown = (outline: Outline): boolean =>
  outline.type !== undefined ||
  outline.attributes !== undefined ||
  outline.value !== undefined ||
  shownChildren(outline).length > 0;
