import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { Sign } from '../../design/Sign.tsx';
import type { Preset } from '../../session/preset-calls.ts';
import { useWords } from '../../i18n/use-words.ts';
import { PresetFace } from './PresetFace.tsx';
import styles from './PresetKeys.module.css';

interface Props {
  preset: Preset;
  shift: { x: number; y: number } | undefined;
  isLifted: boolean;
  /** The id of the sentence that explains how to move it. */
  howId: string;
  /** By Space, Enter, or a screen reader's equivalent. */
  onTake: () => void;
  onKey: (event: KeyboardEvent) => void;
  onLeave: () => void;
  onPress: (point: PointerEvent) => void;
  isJustMoved: () => boolean;
  onMore: () => void;
}

/** One button of the radio: its face plays, its grip moves it, and other actions are behind three dots. */
export function PresetKey(props: Props): ReactNode {
  const { preset, shift, isLifted, howId, onTake, onKey, onLeave, onPress, isJustMoved, onMore } = props;
  const { t } = useWords();
  // A mouse drags it anywhere; a finger only by its grip, since elsewhere it scrolls the page.
  const byMouse = (event: PointerEvent): void => {
    if (event.pointerType === 'mouse' && event.button === 0) onPress(event);
  };
  return (
    <li
      className={styles['key']}
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
      <PresetFace preset={preset} />
      <button
        type="button"
        className={styles['grip']}
        aria-label={t('presets.move', { name: preset.name })}
        aria-describedby={howId}
        aria-pressed={isLifted}
        // `detail` is the click count of a pointer; it is 0 for the keyboard.
        onClick={(event) => event.detail === 0 && onTake()}
        onKeyDown={onKey}
        onBlur={onLeave}
        onPointerDown={(event) => {
          if (event.pointerType !== 'mouse') onPress(event);
        }}
      >
        <Grip />
      </button>
      <button
        type="button"
        className={styles['more']}
        aria-label={t('presets.more', { name: preset.name })}
        aria-haspopup="dialog"
        onClick={onMore}
      >
        <Sign name="more" size={20} />
      </button>
    </li>
  );
}

const Grip = (): ReactNode => (
  <svg aria-hidden="true" viewBox="0 0 16 16" width="16" height="16" fill="currentColor">
    {[3, 8, 13].map((y) => [5, 11].map((x) => <circle key={`${x} ${y}`} cx={x} cy={y} r="1.4" />))}
  </svg>
);
