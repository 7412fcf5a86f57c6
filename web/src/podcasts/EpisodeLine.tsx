import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Logo } from '../design/Logo.tsx';
import { asPlayerItem } from '../player/go-on.ts';
import { PlayButton } from '../player/controls/PlayButton.tsx';
import type { QueuedEpisode } from '../saved/podcast-lists.ts';
import { useWords } from '../i18n/use-words.ts';
import styles from './EpisodeLine.module.css';
import { Progress } from './Progress.tsx';
import { QueueButtons } from './QueueButtons.tsx';

interface Props {
  episode: QueuedEpisode;
  /** When it came out. */
  date: string | undefined;
  isNew?: boolean;
  /** In a list of several shows: the picture and the name of its own. */
  hasShow?: boolean;
}

/** An episode with its date, its length, how far it was heard, and its way into the queue. */
export function EpisodeLine({ episode, date, isNew = false, hasShow = false }: Props): ReactNode {
  const { t } = useWords();
  const { name, showId, show } = episode;
  const link = hasShow && <Link href={`/show/${showId}`}>{show}</Link>;
  return (
    <li className={styles['episode']} data-new={isNew || undefined}>
      <PlayButton item={asPlayerItem(episode)} />
      {hasShow && (
        <span className={styles['logo']}>
          <Logo guideId={showId} name={show} size={48} />
        </span>
      )}
      <div className={styles['words']}>
        <h3>
          <bdi>{name}</bdi>
          {isNew && <span className={styles['new']}>{t('podcasts.new')}</span>}
        </h3>
        <Progress episode={episode} facts={[link, date]} />
      </div>
      <QueueButtons episode={episode} />
    </li>
  );
}
