import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { Button } from '../design/Button.tsx';
import { Sign } from '../design/Sign.tsx';
import { MAX_QUEUE, type QueuedEpisode } from '../saved/podcast-lists.ts';
import { saved } from '../saved/saved.ts';
import { useWords } from '../i18n/use-words.ts';
import { addToQueue, playNext, removeFromQueue } from './queue.ts';
import styles from './EpisodeLine.module.css';

/** Puts an episode into the queue, as the next one or at its end; pressed once more, the latter takes it out again. */
export function QueueButtons({ episode }: { episode: QueuedEpisode }): ReactNode {
  const { t } = useWords();
  const [isFull, setIsFull] = useState(false);
  const { guideId, name } = episode;
  const isQueued = useSyncExternalStore(saved.subscribe, () =>
    saved.state.queue.some((each) => each.guideId === guideId),
  );
  const next = t('podcasts.playNext', { name });
  const add = t('podcasts.addToQueue', { name });
  const put = async (putting: Promise<boolean>): Promise<void> => setIsFull(!(await putting));
  return (
    <span className={styles['tools']}>
      <Button kind="bare" isRound aria-label={next} title={next} onClick={() => void put(playNext(episode))}>
        <Sign name="playNext" size={20} />
      </Button>
      <Button
        kind="bare"
        isRound
        aria-label={add}
        aria-pressed={isQueued}
        title={isQueued ? t('podcasts.removeFromQueue', { name }) : add}
        onClick={() => void (isQueued ? removeFromQueue(guideId) : put(addToQueue(episode)))}
      >
        <Sign name={isQueued ? 'check' : 'queue'} size={20} />
      </Button>
      {isFull && (
        <span role="alert" className={styles['full']}>
          {t('podcasts.queueFull', { count: MAX_QUEUE })}
        </span>
      )}
    </span>
  );
}
