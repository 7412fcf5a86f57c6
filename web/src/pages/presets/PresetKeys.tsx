import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import type { Folder, Preset } from '../../session/preset-calls.ts';
import { useWords } from '../../i18n/use-words.ts';
import { shiftOf } from './lift.ts';
import { columnsOf, moved, stepTo } from './order.ts';
import { PresetDial } from './PresetDial.tsx';
import { PresetKey } from './PresetKey.tsx';
import styles from './PresetKeys.module.css';
import { useLift } from './use-lift.ts';

interface Props {
  folder: Folder;
  onOrder: (ids: readonly string[]) => void;
  onMore: (preset: Preset) => void;
}

/**
 * A folder as the buttons of a radio. A key is dragged to its place, or picked up, moved and dropped by the keyboard.
 */
export function PresetKeys({ folder, onOrder, onMore }: Props): ReactNode {
  const { t, direction } = useWords();
  const { presets } = folder;
  const id = useId();
  const list = useRef<HTMLOListElement>(null);
  const [given, setTold] = useState('');
  const tell = (
    key: 'presets.taken' | 'presets.at' | 'presets.put' | 'presets.left',
    at: number,
    place = at,
  ): void => {
    setTold(t(key, { name: presets[at]?.name ?? '', number: place + 1, count: presets.length }));
  };
  const put = (from: number, to: number): void => {
    tell('presets.put', from, to);
    onOrder(moved(presets, from, to).map((preset) => preset.id));
  };
  const lifting = useLift(list, put);
  const { lift } = lifting;
  const leave = (): void => {
    if (lift?.by !== 'keys') return;
    tell('presets.left', lift.from);
    lifting.end();
  };
  const press = (at: number): void => {
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
    const grid = { count: presets.length, columns: columnsOf(lifting.boxes), direction };
    const to = stepTo(event.key, lift.to, grid);
    if (to === undefined && event.key !== 'Escape') return;
    event.preventDefault();
    if (to === undefined) return leave();
    lifting.to(to);
    tell('presets.at', at, to);
  };
  return (
    <>
      <p id={id} className="heard-only">
        {t('presets.moveHow')}
      </p>
      <p className="heard-only" role="status" aria-live="assertive">
        {given}
      </p>
      <div className={styles['front']}>
        <PresetDial />
        <ol ref={list} className={styles['keys']} data-lifting={lift ? true : undefined}>
          {presets.map((preset, at) => (
            <PresetKey
              key={preset.id}
              preset={preset}
              shift={lift && shiftOf(lift, at, lifting.boxes)}
              isLifted={lift?.from === at}
              howId={id}
              onTake={() => press(at)}
              onKey={(event) => onKey(event, at)}
              onLeave={leave}
              onPress={(point) => lifting.press(at, point)}
              isJustMoved={lifting.isJustMoved}
              onMore={() => onMore(preset)}
            />
          ))}
        </ol>
      </div>
    </>
  );
}
