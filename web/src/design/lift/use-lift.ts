import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Lift } from './lift.ts';
import { type Box, nearestBox } from './order.ts';

/** A click with an unsteady hand is not a move. */
const STEADY_PX = 6;
const EDGE_PX = 72;
const SCROLL_PX = 14;

export interface Lifting {
  lift: Lift | undefined;
  boxes: readonly Box[];
  begin: (from: number) => void;
  to: (place: number) => void;
  end: () => void;
  /** A pointer goes down on a key and may drag it. */
  press: (from: number, point: { pageX: number; pageY: number }) => void;
  /** Whether a move just ended, whose click must be ignored. */
  isJustMoved: () => boolean;
}

/** Picks up one key of the list and drops it elsewhere: by a pointer here, by keys through `begin`, `to` and `end`. */
export function useLift(
  list: RefObject<HTMLElement | null>,
  onMove: (from: number, to: number) => void,
): Lifting {
  const [lift, setLift] = useState<Lift>();
  const [pressed, setPressed] = useState<{ from: number; x: number; y: number }>();
  const boxes = useRef<readonly Box[]>([]);
  const movedAt = useRef(-Infinity);
  const now = useRef<Lift>(undefined);
  const show = (next: Lift | undefined): void => {
    now.current = next;
    setLift(next);
  };
  useEffect(() => {
    if (!pressed) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    const put = (isWanted: boolean): void => {
      const last = now.current;
      show(undefined);
      setPressed(undefined);
      if (!last) return;
      movedAt.current = performance.now();
      if (isWanted && last.to !== last.from) onMove(last.from, last.to);
    };
    const draw = (event: PointerEvent): void => {
      const dx = event.pageX - pressed.x;
      const dy = event.pageY - pressed.y;
      if (!now.current && Math.hypot(dx, dy) < STEADY_PX) return;
      const to = nearestBox(boxes.current, { x: event.pageX, y: event.pageY });
      show({ from: pressed.from, to, by: 'pointer', dx, dy });
      scrollAtEdge(event.clientY);
    };
    addEventListener('pointermove', draw, { signal });
    addEventListener('pointerup', () => put(true), { signal });
    addEventListener('pointercancel', () => put(false), { signal });
    addEventListener('keydown', (event) => event.key === 'Escape' && put(false), { signal });
    return () => ending.abort();
  }, [pressed]);
  const measure = (): void => {
    boxes.current = boxesOf(list.current);
  };
  return {
    lift,
    boxes: boxes.current,
    begin: (from) => {
      measure();
      show({ from, to: from, by: 'keys', dx: 0, dy: 0 });
    },
    to: (place) => now.current && show({ ...now.current, to: place }),
    end: () => show(undefined),
    press: (from, { pageX, pageY }) => {
      measure();
      // What is pressed after a move has a click of its own.
      movedAt.current = -Infinity;
      setPressed({ from, x: pageX, y: pageY });
    },
    isJustMoved: () => performance.now() - movedAt.current < 300,
  };
}

/** In page coordinates, so that the page may scroll meanwhile. */
const boxesOf = (list: HTMLElement | null): Box[] =>
  [...(list?.children ?? [])].map((child) => {
    const { left, top, width, height } = child.getBoundingClientRect();
    return { left: left + scrollX, top: top + scrollY, width, height };
  });

function scrollAtEdge(y: number): void {
  if (y < EDGE_PX) scrollBy(0, -SCROLL_PX);
  else if (y > innerHeight - EDGE_PX) scrollBy(0, SCROLL_PX);
}
