import { coreRadius } from './glow.ts';
import type { Mark } from './marks.ts';
import { type ScreenPoint, type Size, type View, screenPoint } from '../view/view.ts';

/** The mark that a click means: the nearest within reach, measured from its edge. */
export function nearestMark(
  marks: readonly Mark[],
  { view, size, at, reach }: { view: View; size: Size; at: ScreenPoint; reach: number },
): Mark | undefined {
  let [nearest, least] = [undefined as Mark | undefined, reach];
  for (const mark of marks) {
    const { left, top } = screenPoint(view, size, mark);
    const distance = Math.hypot(left - at.left, top - at.top) - coreRadius(mark.count, view.zoom);
    if (distance < least) [nearest, least] = [mark, distance];
  }
  return nearest;
}
