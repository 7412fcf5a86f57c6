import type { PointerEvent, ReactNode } from 'react';
import type { MovingItem } from './use-moving.ts';

interface Props {
  moving: MovingItem;
  className: string;
  children: ReactNode;
}

/** An item of a list that is moved. A mouse drags it anywhere; a finger only by its grip, since elsewhere it scrolls the page. */
export function MovableItem({ moving, className, children }: Props): ReactNode {
  const { shift, isLifted, onPress, isJustMoved } = moving;
  const byMouse = (event: PointerEvent): void => {
    if (event.pointerType === 'mouse' && event.button === 0) onPress(event);
  };
  return (
    <li
      className={className}
      data-lifted={isLifted || undefined}
      style={shift && { transform: `translate(${shift.x}px, ${shift.y}px)` }}
      onPointerDown={byMouse}
      onDragStart={(event) => event.preventDefault()}
      onClickCapture={(event) => {
        if (!isJustMoved()) return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {children}
    </li>
  );
}
