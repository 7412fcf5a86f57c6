import type { ReactNode } from 'react';
import { Button } from '../design/Button.tsx';
import type { MessageKey } from '../i18n/messages.ts';
import { useWords } from '../i18n/use-words.ts';
import type { PlayerItem, Why } from './state.ts';
import { usePlayer } from './use-player.ts';
import styles from './WhyNot.module.css';

const WORDS: Readonly<Record<Why, MessageKey>> = {
  nothing: 'player.whyNothing',
  format: 'player.whyFormat',
  insecure: 'player.whyInsecure',
  network: 'player.whyNetwork',
  touch: 'player.whyTouch',
  directory: 'player.whyDirectory',
};
const ELSEWHERE: readonly Why[] = ['format', 'insecure', 'network'];
const AGAIN: readonly Why[] = ['network', 'directory'];

/** Why nothing plays, in plain words, and what to do about it. */
export function WhyNot({ item, reason }: { item: PlayerItem; reason: Why }): ReactNode {
  const { t } = useWords();
  const { play } = usePlayer();
  return (
    <div className={styles['why']} role="alert">
      <p>{t(WORDS[reason])}</p>
      {AGAIN.includes(reason) && <Button onClick={() => play(item)}>{t('state.tryAgain')}</Button>}
      {ELSEWHERE.includes(reason) && (
        <a className={styles['elsewhere']} href={elsewhere(item)} download={`${item.guideId}.m3u`}>
          {t('player.openElsewhere')}
        </a>
      )}
    </div>
  );
}

/** A playlist for an external player: all streams, whatever this browser plays. */
const elsewhere = ({ guideId, address }: PlayerItem): string =>
  address ?? `/Tune.ashx?${new URLSearchParams({ id: guideId, device: 'vlc' }).toString()}`;
