import type { Box } from './order.ts';

/** A key that is picked up: its origin, its current target, and how far a pointer has dragged it. */
export interface Lift {
  from: number;
  to: number;
  by: 'pointer' | 'keys';
  dx: number;
  dy: number;
}

/** Where the key at a position is shown while one is picked up. */
export function placeWhile({ from, to }: Pick<Lift, 'from' | 'to'>, at: number): number {
  if (at === from) return to;
  if (from < to && at > from && at <= to) return at - 1;
  return to < from && at >= to && at < from ? at + 1 : at;
}

/** How far each key is shifted from its place in the page; the page itself is reordered only at the end. */
export function shiftOf(lift: Lift, at: number, boxes: readonly Box[]): { x: number; y: number } {
  if (at === lift.from && lift.by === 'pointer') return { x: lift.dx, y: lift.dy };
  const own = boxes[at];
  const there = boxes[placeWhile(lift, at)];
  return own && there ? { x: there.left - own.left, y: there.top - own.top } : { x: 0, y: 0 };
}
