import { type ReactNode, Suspense, useState } from 'react';
import { ErrorBoundary } from '../../app/ErrorBoundary.tsx';
import { part } from '../../app/part.ts';
import { Broken } from '../../design/Broken.tsx';
import { Button } from '../../design/Button.tsx';
import { Sign } from '../../design/Sign.tsx';
import { useWords } from '../../i18n/use-words.ts';
import { Heart } from '../../items/Heart.tsx';
import { NowHeard } from './NowHeard.tsx';
import { canBePreset } from './page-of.ts';
import styles from './PlayerBar.module.css';
import { PlayerDial } from '../controls/PlayerDial.tsx';
import { SleepTimer } from '../controls/SleepTimer.tsx';
import { isOn, usePlayer } from '../use-player.ts';
import { Volume } from '../controls/Volume.tsx';
import { WhyNot } from '../controls/WhyNot.tsx';

const { Part: PlayerView } = part(() => import('./PlayerView.tsx'));

/** At the bottom of every page, as long as something is loaded. On a phone all but play and the heart is in the view. */
export function PlayerBar(): ReactNode {
  const { t } = useWords();
  const { state, toggle, stop } = usePlayer();
  const [isOpen, setIsOpen] = useState(false);
  const { item, status } = state;
  if (!item) return null;
  const isPlaying = isOn(state);
  return (
    <section className={styles['bar']} aria-label={t('player.label')} data-status={status}>
      <div className={styles['inside']}>
        <Button
          kind="main"
          isRound
          className={styles['play'] ?? ''}
          aria-label={isPlaying ? t('player.pause') : t('player.playName', { name: item.name })}
          onClick={toggle}
        >
          <Sign name={isPlaying ? 'pause' : 'play'} size={26} />
        </Button>
        <NowHeard item={item} state={state} onOpen={() => setIsOpen((wasOpen) => !wasOpen)} />
        <PlayerDial item={item} />
        <div className={styles['tools']}>
          {canBePreset(item) && (
            <Heart preset={{ guideId: item.guideId, name: item.name, subtext: item.subtext ?? '' }} />
          )}
          <Volume />
          <span className={styles['wide']}>
            <SleepTimer />
          </span>
          <Button kind="bare" isRound aria-label={t('player.close')} onClick={stop}>
            <Sign name="close" size={20} />
          </Button>
        </div>
      </div>
      <WhyNot item={item} state={state} />
      {isOpen && (
        <ErrorBoundary address="" broken={(error, again) => <Broken error={error} again={again} />}>
          <Suspense fallback={null}>
            <PlayerView item={item} state={state} onClose={() => setIsOpen(false)} />
          </Suspense>
        </ErrorBoundary>
      )}
    </section>
  );
}
