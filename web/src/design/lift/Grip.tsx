import type { ReactNode } from 'react';
import type { MovingItem } from './use-moving.ts';

interface Props {
  moving: MovingItem;
  label: string;
  /** The id of the sentence that explains how to move it. */
  howId: string;
  className: string;
}

/** The part of an item by which a finger drags it, and the keyboard picks it up. */
export const Grip = ({ moving, label, howId, className }: Props): ReactNode => (
  <button
    type="button"
    className={className}
    aria-label={label}
    aria-describedby={howId}
    aria-pressed={moving.isLifted}
    // `detail` is the click count of a pointer; it is 0 for the keyboard.
    onClick={(event) => event.detail === 0 && moving.onTake()}
    onKeyDown={moving.onKey}
    onBlur={moving.onLeave}
    onPointerDown={(event) => {
      if (event.pointerType !== 'mouse') moving.onPress(event);
    }}
  >
    <svg aria-hidden="true" viewBox="0 0 16 16" width="16" height="16" fill="currentColor">
      {[3, 8, 13].map((y) => [5, 11].map((x) => <circle key={`${x} ${y}`} cx={x} cy={y} r="1.4" />))}
    </svg>
  </button>
);
