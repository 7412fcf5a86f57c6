import { type ReactNode, useState } from 'react';
import { Button } from '../../design/Button.tsx';
import type { MessageKey } from '../../i18n/messages.ts';
import { useWords } from '../../i18n/use-words.ts';
import { canBePreset } from '../view/page-of.ts';
import type { PlayerItem, PlayerState, Why } from '../engine/state.ts';
import { player } from '../player.ts';
import { usePlayer } from '../use-player.ts';
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
/** Where another station would do better. */
const OTHERS: readonly Why[] = ['nothing', 'format', 'insecure', 'network'];

/** Why nothing plays, in plain words, and what to do about it. */
export function WhyNot({ item, state }: { item: PlayerItem; state: PlayerState }): ReactNode {
  const { t } = useWords();
  const { play } = usePlayer();
  const { reason, status } = state;
  if (!reason || !isWorthSaying(state)) return null;
  const isTrying = status === 'loading';
  return (
    <div className={styles['why']} role={isTrying ? undefined : 'alert'}>
      <p>{t(isTrying && reason === 'network' ? 'player.whyTrying' : WORDS[reason])}</p>
      {AGAIN.includes(reason) && !isTrying && (
        <Button onClick={() => play(item)}>{t('state.tryAgain')}</Button>
      )}
      {OTHERS.includes(reason) && canBePreset(item) && <TrySimilar key={item.guideId} item={item} />}
      {ELSEWHERE.includes(reason) && (
        <a className={styles['elsewhere']} href={elsewhere(item)} download={`${item.guideId}.m3u`}>
          {t('player.openElsewhere')}
        </a>
      )}
    </div>
  );
}

/** A gap in what was heard, or in the listener's own network, is nobody's fault: the line says that it comes back. */
const isWorthSaying = ({ status, wasHeard, isOffline }: PlayerState): boolean =>
  status !== 'loading' || (!wasHeard && !isOffline);

/** Plays the first station like this one that has not failed either. */
function TrySimilar({ item }: { item: PlayerItem }): ReactNode {
  const { t, language } = useWords();
  const { play } = usePlayer();
  const [isBusy, setIsBusy] = useState(false);
  const [isNone, setIsNone] = useState(false);
  const find = async (): Promise<void> => {
    setIsBusy(true);
    const similar = await import('./find-similar.ts')
      .then(({ findSimilar }) => findSimilar(item, language))
      .catch(() => undefined);
    setIsBusy(false);
    // The search takes a while, in which it may be heard after all, or the listener may choose another.
    const { state } = player;
    if (state.item !== item || state.status === 'playing') return;
    if (similar) play(similar);
    else setIsNone(true);
  };
  if (isNone) return <span role="status">{t('player.similarNone')}</span>;
  return (
    <Button kind="main" aria-busy={isBusy} onClick={() => !isBusy && void find()}>
      {t('player.similar')}
    </Button>
  );
}

/** A playlist for an external player: all streams, whatever this browser plays. */
const elsewhere = ({ guideId, address }: PlayerItem): string =>
  address ?? `/Tune.ashx?${new URLSearchParams({ id: guideId, device: 'vlc' }).toString()}`;
