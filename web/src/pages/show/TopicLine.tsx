import type { ReactNode } from 'react';
import { Dial } from '../../design/Dial.tsx';
import { Facts } from '../../items/Facts.tsx';
import type { Item } from '../../items/item.ts';
import { lengthText } from '../../items/length-text.ts';
import { keptPosition } from '../../player/positions.ts';
import { useStatusOf } from '../../player/use-player.ts';
import { PlayButton } from '../../player/PlayButton.tsx';
import { useWords } from '../../i18n/use-words.ts';
import { heardPart, secondsLeft } from './heard-part.ts';
import styles from './Show.module.css';

interface Props {
  item: Item;
  showTitle: string;
}

/** A topic with its date, its length, and how far it was heard. */
export function TopicLine({ item, showTitle }: Props): ReactNode {
  const { t, language } = useWords();
  const { guideId = '', name, subtext, seconds } = item;
  const position = usePositionOf(guideId);
  const part = heardPart(position, seconds);
  const left =
    part !== undefined && part < 1 && position !== undefined && seconds !== undefined
      ? t('show.left', { time: lengthText(secondsLeft(position, seconds), language) })
      : undefined;
  return (
    <li className={styles['topic']}>
      <PlayButton item={{ kind: 'topic', guideId, name, subtext: showTitle }} />
      <div className={styles['words']}>
        <h3>
          <bdi>{name}</bdi>
        </h3>
        <Facts facts={[subtext, seconds === undefined ? undefined : lengthText(seconds, language), left]} />
        {part !== undefined && <Dial kind="line" at={part} className={styles['mark'] ?? ''} />}
      </div>
    </li>
  );
}

/** The saved position, read again whenever the player changes state. */
function usePositionOf(guideId: string): number | undefined {
  useStatusOf(guideId);
  return keptPosition(guideId);
}
