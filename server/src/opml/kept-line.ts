import type { Outline } from './document.ts';

/** An outline that will stand in many menus as it is, and never changes. */
export function keptOutline(outline: Outline): Outline {
  const line: Outline = { ...outline };
  line.kept = { of: line, line, written: {} };
  return line;
}

/** The same with a filter on its link, which spares writing the rest again. */
export function withFilter(line: Outline, filter: string): Outline {
  const { kept, target } = line;
  const filtered = { ...line, target: target && 'params' in target ? { ...target, filter } : target };
  filtered.kept = kept && { of: filtered, line, written: kept.written };
  return filtered;
}
