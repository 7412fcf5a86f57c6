/** The list with one item moved; the same list when nothing moves. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const item = list[from];
  if (item === undefined || from === to || to < 0 || to >= list.length) return list;
  return list.toSpliced(from, 1).toSpliced(to, 0, item);
}

export interface Grid {
  count: number;
  /** How many are in a row. */
  columns: number;
  direction: 'ltr' | 'rtl';
}

/**
 * Where an arrow key leads in a grid that is read row by row; undefined for other keys, and the same place at an edge.
 */
export function stepTo(key: string, at: number, { count, columns, direction }: Grid): number | undefined {
  const onward = direction === 'rtl' ? -1 : 1;
  const steps = new Map([
    ['ArrowRight', onward],
    ['ArrowLeft', -onward],
    ['ArrowDown', columns],
    ['ArrowUp', -columns],
    ['Home', -at],
    ['End', count - 1 - at],
  ]);
  const step = steps.get(key);
  if (step === undefined) return undefined;
  const to = at + step;
  return to >= 0 && to < count ? to : at;
}

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** How many are in the first row. */
export const columnsOf = (boxes: readonly Box[]): number =>
  Math.max(1, boxes.filter(({ top }) => Math.abs(top - (boxes[0]?.top ?? 0)) < 1).length);

/** The box whose centre is nearest to a point: where a key dragged there would go. */
export function nearestBox(boxes: readonly Box[], point: { x: number; y: number }): number {
  const distances = boxes.map(({ left, top, width, height }) =>
    Math.hypot(point.x - left - width / 2, point.y - top - height / 2),
  );
  return distances.indexOf(Math.min(...distances));
}
