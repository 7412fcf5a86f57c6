import { type ReactNode, useId } from 'react';
import { Button } from '../../design/Button.tsx';
import { moved } from '../../design/lift/order.ts';
import { useMoving } from '../../design/lift/use-moving.ts';
import { inOrder } from '../../saved/lists.ts';
import { saved, useSaved } from '../../saved/saved.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Podcasts.module.css';
import { QueueLine } from './QueueLine.tsx';

/** What is played, one after the other; nothing where that is nothing. */
export function Queue(): ReactNode {
  const { t } = useWords();
  const { queue } = useSaved();
  const id = useId();
  const { list, isLifting, said, itemAt } = useMoving<HTMLOListElement>(
    queue.map(({ name }) => name),
    (from, to) => {
      const guideIds = moved(queue, from, to).map(({ guideId }) => guideId);
      void saved.change('queue', (now) => inOrder(now, guideIds));
    },
  );
  if (queue.length === 0) return null;
  return (
    <section className={styles['part']}>
      <div className={styles['head']}>
        <h2>{t('podcasts.queue')}</h2>
        <Button
          kind="bare"
          aria-label={`${t('presets.clear')}: ${t('podcasts.queue')}`}
          onClick={() => void saved.change('queue', () => [])}
        >
          {t('presets.clear')}
        </Button>
      </div>
      <p id={id} className="heard-only">
        {t('presets.moveHow')}
      </p>
      <p className="heard-only" role="status" aria-live="assertive">
        {said}
      </p>
      <ol ref={list} className={styles['queue']} data-lifting={isLifting || undefined}>
        {queue.map((episode, at) => (
          <QueueLine key={episode.guideId} episode={episode} moving={itemAt(at)} howId={id} />
        ))}
      </ol>
    </section>
  );
}
