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

/** Saves a station or a show as a preset, or removes it: in the account, or in this browser without one. */
export function Heart({ preset, isLarge = false }: Props): ReactNode {
  const { t } = useWords();
  const { isPreset, canChange, isBusy, fault, change } = usePreset(preset);
  const label = t('items.presetName', { name: preset.name });
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
        {isLarge && t(isPreset ? 'items.isPreset' : 'items.addPreset')}
      </Button>
      {says && <span role="alert">{says}</span>}
    </span>
  );
}

const COUNT = { count: MAX_SAVED.presets };
