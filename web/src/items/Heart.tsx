import type { ReactNode } from 'react';
import { Button } from '../design/Button.tsx';
import { Sign } from '../design/Sign.tsx';
import { MAX_SAVED, type SavedPreset } from '../saved/lists.ts';
import { usePreset } from '../saved/use-preset.ts';
import { useWords } from '../i18n/use-words.ts';
import styles from './Heart.module.css';

interface Props {
  preset: SavedPreset;
  /** With a text label, on the page of a station or show. */
  isLarge?: boolean;
}

/**
 * Saves a station or a show as a preset, or removes it: in the account, or in this browser without one. Whoever saves a
 * show subscribes to it: it is one list, on radios, in podcast apps and here.
 */
export function Heart({ preset, isLarge = false }: Props): ReactNode {
  const { t } = useWords();
  const { isPreset, canChange, isBusy, fault, change } = usePreset(preset);
  const isShow = preset.guideId.startsWith('p');
  const label = t(isShow ? 'items.subscribeName' : 'items.presetName', { name: preset.name });
  const says = fault && t(fault === 'full' ? 'items.presetsFull' : 'items.presetFailed', COUNT);
  return (
    <span className={styles[isLarge ? 'large' : 'heart']}>
      <Button
        kind={isLarge ? 'plain' : 'bare'}
        isRound={!isLarge}
        aria-pressed={isPreset}
        disabled={!canChange}
        aria-busy={isBusy}
        {...(isLarge ? {} : { 'aria-label': label, title: label })}
        onClick={() => !isBusy && change()}
      >
        <Sign name="heart" size={20} />
        {isLarge && t(isShow ? SHOW[isPreset ? 'on' : 'off'] : STATION[isPreset ? 'on' : 'off'])}
      </Button>
      {says && <span role="alert">{says}</span>}
    </span>
  );
}

const STATION = { on: 'items.isPreset', off: 'items.addPreset' } as const;
const SHOW = { on: 'items.subscribed', off: 'items.subscribe' } as const;
const COUNT = { count: MAX_SAVED.presets };
