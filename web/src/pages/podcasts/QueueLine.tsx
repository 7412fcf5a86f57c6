import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Button } from '../../design/Button.tsx';
import { Grip } from '../../design/lift/Grip.tsx';
import { MovableItem } from '../../design/lift/MovableItem.tsx';
import type { MovingItem } from '../../design/lift/use-moving.ts';
import { Sign } from '../../design/Sign.tsx';
import { asPlayerItem } from '../../player/go-on.ts';
import { PlayButton } from '../../player/controls/PlayButton.tsx';
import { Progress } from '../../podcasts/Progress.tsx';
import { removeFromQueue } from '../../podcasts/queue.ts';
import type { QueuedEpisode } from '../../saved/podcast-lists.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Podcasts.module.css';

interface Props {
  episode: QueuedEpisode;
  moving: MovingItem;
  howId: string;
}

/** One episode of the queue: dragged anywhere by a mouse, by its grip with a finger or the keyboard. */
export function QueueLine({ episode, moving, howId }: Props): ReactNode {
  const { t } = useWords();
  const { name, show, showId, guideId } = episode;
  return (
    <MovableItem moving={moving} className={styles['line'] ?? ''}>
      <Grip
        moving={moving}
        label={t('presets.move', { name })}
        howId={howId}
        className={styles['grip'] ?? ''}
      />
      <PlayButton item={asPlayerItem(episode)} />
      <div className={styles['words']}>
        <h3>
          <bdi>{name}</bdi>
        </h3>
        <Progress
          episode={episode}
          facts={[showId === '' ? show : <Link href={`/show/${showId}`}>{show}</Link>]}
        />
      </div>
      <Button
        kind="bare"
        isRound
        className={styles['remove'] ?? ''}
        aria-label={t('podcasts.removeFromQueue', { name })}
        title={t('podcasts.removeFromQueue', { name })}
        onClick={() => void removeFromQueue(guideId)}
      >
        <Sign name="close" size={20} />
      </Button>
    </MovableItem>
  );
}
