import type { ReactNode } from 'react';
import { Button } from '../../design/Button.tsx';
import { Sign } from '../../design/Sign.tsx';
import { useWords } from '../../i18n/use-words.ts';
import { player } from '../player.ts';
import type { PlayerItem } from '../engine/state.ts';
import { useStatusOf } from '../use-player.ts';

interface Props {
  item: PlayerItem;
  /** With a text label, as the main action of a page. */
  isLarge?: boolean;
}

/** Plays an item, or pauses it if it is playing. */
export function PlayButton({ item, isLarge = false }: Props): ReactNode {
  const { t } = useWords();
  const status = useStatusOf(item.guideId);
  const isOn = status === 'playing' || status === 'loading';
  const word = isOn ? t('player.pause') : t('player.play');
  return (
    <Button
      kind={isLarge ? 'main' : 'plain'}
      isRound={!isLarge}
      aria-label={isOn ? t('player.pause') : t('player.playName', { name: item.name })}
      onClick={() => (status ? player.toggle() : player.play(item))}
    >
      <Sign name={isOn ? 'pause' : 'play'} />
      {isLarge && <span aria-hidden="true">{word}</span>}
    </Button>
  );
}
