import type { Outline } from './document.ts';

/** An outline that will stand in many menus as it is, and never changes. */
export function keptOutline(outline: Outline): Outline {
  const line: Outline = { ...outline };
  line.kept = { of: line, written: {} };
  return line;
}
