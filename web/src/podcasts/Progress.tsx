import type { ReactNode } from 'react';
import { Dial } from '../design/Dial.tsx';
import { Facts } from '../items/details/Facts.tsx';
import { lengthText } from '../items/length-text.ts';
import { keptPosition } from '../player/positions.ts';
import { useStatusOf } from '../player/use-player.ts';
import type { QueuedEpisode } from '../saved/podcast-lists.ts';
import { useSaved } from '../saved/saved.ts';
import { useWords } from '../i18n/use-words.ts';
import styles from './EpisodeLine.module.css';
import { heardPart, secondsLeft } from './heard-part.ts';
import { isFinished } from './played.ts';

interface Props {
  episode: QueuedEpisode;
  /** Before its length and how far it was heard. */
  facts: readonly ReactNode[];
}

/** Under the name of an episode: what is known of it, and how far it was heard. */
export function Progress({ episode: { guideId, seconds }, facts }: Props): ReactNode {
  const { t, language } = useWords();
  const { finished } = useSaved();
  // Renders again whenever the player changes state, and with it the saved position.
  useStatusOf(guideId);
  const position = keptPosition(guideId);
  const part = heardPart(position, seconds);
  const left =
    part !== undefined && part < 1 && position !== undefined && seconds !== undefined
      ? t('show.left', { time: lengthText(secondsLeft(position, seconds), language) })
      : undefined;
  const isOver = part === undefined && isFinished(finished, guideId);
  return (
    <>
      <Facts
        facts={[
          ...facts,
          seconds === undefined ? undefined : lengthText(seconds, language),
          left,
          isOver && (
            <span className={styles['played']} data-played>
              {t('show.played')}
            </span>
          ),
        ]}
      />
      {part !== undefined && <Dial kind="line" at={part} className={styles['mark'] ?? ''} />}
    </>
  );
}
