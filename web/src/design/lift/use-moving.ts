import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from 'react';
import { useWords } from '../../i18n/use-words.ts';
import { shiftOf } from './lift.ts';
import { columnsOf, stepTo } from './order.ts';
import { useLift } from './use-lift.ts';

/** How one item of the list is drawn and moved. */
export interface MovingItem {
  shift: { x: number; y: number } | undefined;
  isLifted: boolean;
  /** By Space, Enter, or a screen reader's equivalent. */
  onTake: () => void;
  onKey: (event: KeyboardEvent) => void;
  onLeave: () => void;
  onPress: (point: PointerEvent) => void;
  /** Whether a move just ended, whose click must be ignored. */
  isJustMoved: () => boolean;
}

interface Moving<Element extends HTMLElement> {
  list: RefObject<Element | null>;
  isLifting: boolean;
  /** What a screen reader is to say: where the item is now. */
  said: string;
  itemAt: (at: number) => MovingItem;
}

/** A list whose items are dragged to another place, or picked up, moved and dropped by the keyboard. */
export function useMoving<Element extends HTMLElement>(
  names: readonly string[],
  onMove: (from: number, to: number) => void,
): Moving<Element> {
  const { t, direction } = useWords();
  const list = useRef<Element>(null);
  const [said, setSaid] = useState('');
  const tell = (
    key: 'presets.taken' | 'presets.at' | 'presets.put' | 'presets.left',
    at: number,
    place = at,
  ): void => {
    setSaid(t(key, { name: names[at] ?? '', number: place + 1, count: names.length }));
  };
  const put = (from: number, to: number): void => {
    tell('presets.put', from, to);
    onMove(from, to);
  };
  const lifting = useLift(list, put);
  const { lift } = lifting;
  const leave = (): void => {
    if (lift?.by !== 'keys') return;
    tell('presets.left', lift.from);
    lifting.end();
  };
  const take = (at: number): void => {
    if (!lift) {
      lifting.begin(at);
      tell('presets.taken', at);
      return;
    }
    lifting.end();
    if (lift.to === lift.from) tell('presets.left', at);
    else put(lift.from, lift.to);
  };
  const onKey = (event: KeyboardEvent, at: number): void => {
    if (lift?.by !== 'keys') return;
    const grid = { count: names.length, columns: columnsOf(lifting.boxes), direction };
    const to = stepTo(event.key, lift.to, grid);
    if (to === undefined && event.key !== 'Escape') return;
    event.preventDefault();
    if (to === undefined) return leave();
    lifting.to(to);
    tell('presets.at', at, to);
  };
  return {
    list,
    isLifting: lift !== undefined,
    said,
    itemAt: (at) => ({
      shift: lift && shiftOf(lift, at, lifting.boxes),
      isLifted: lift?.from === at,
      onTake: () => take(at),
      onKey: (event) => onKey(event, at),
      onLeave: leave,
      onPress: (point) => lifting.press(at, point),
      isJustMoved: lifting.isJustMoved,
    }),
  };
}
