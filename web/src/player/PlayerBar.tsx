import type { ReactNode } from 'react';
import { Button } from '../design/Button.tsx';
import { Sign } from '../design/Sign.tsx';
import { useWords } from '../i18n/use-words.ts';
import { Heart } from '../items/Heart.tsx';
import type { PlayerItem } from './state.ts';
import { NowHeard } from './NowHeard.tsx';
import styles from './PlayerBar.module.css';
import { PlayerDial } from './PlayerDial.tsx';
import { SleepTimer } from './SleepTimer.tsx';
import { usePlayer } from './use-player.ts';
import { Volume } from './Volume.tsx';
import { WhyNot } from './WhyNot.tsx';

/** At the bottom of every page, as long as something is loaded. */
export function PlayerBar(): ReactNode {
  const { t } = useWords();
  const { state, toggle, stop } = usePlayer();
  const { item, status, reason } = state;
  if (!item) return null;
  const isOn = status === 'playing' || status === 'loading';
  return (
    <section className={styles['bar']} aria-label={t('player.label')} data-status={status}>
      <div className={styles['inside']}>
        <Button
          kind="main"
          isRound
          className={styles['play'] ?? ''}
          aria-label={isOn ? t('player.pause') : t('player.playName', { name: item.name })}
          onClick={toggle}
        >
          <Sign name={isOn ? 'pause' : 'play'} size={26} />
        </Button>
        <NowHeard item={item} state={state} />
        <PlayerDial item={item} />
        <div className={styles['tools']}>
          {canBePreset(item) && (
            <Heart preset={{ guideId: item.guideId, name: item.name, subtext: item.subtext ?? '' }} />
          )}
          <Volume />
          <SleepTimer />
          <Button kind="bare" isRound aria-label={t('player.close')} onClick={stop}>
            <Sign name="close" size={20} />
          </Button>
        </div>
      </div>
      {reason && <WhyNot item={item} reason={reason} />}
    </section>
  );
}

const canBePreset = ({ guideId, address }: PlayerItem): boolean =>
  address === undefined && guideId.startsWith('s');
