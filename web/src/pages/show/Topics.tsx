import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../../design/Button.tsx';
import type { Item } from '../../items/item.ts';
import type { Section } from '../../items/lists/sections.ts';
import { usePages } from '../../items/lists/use-pages.ts';
import { EpisodeLine } from '../../podcasts/EpisodeLine.tsx';
import type { QueuedEpisode } from '../../saved/podcast-lists.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Show.module.css';
import { useSeenShow } from './use-seen-show.ts';

interface Props {
  section: Section;
  showId: string;
  showTitle: string;
}

/** The topics of a show, the newest first. */
export function Topics({ section: first, showId, showTitle }: Props): ReactNode {
  const { t } = useWords();
  const { section, more, isWaiting, hasFailed, newFrom } = usePages(first);
  const list = useRef<HTMLOListElement>(null);
  const isNew = useSeenShow(showId, first.items);
  useEffect(() => {
    const line = newFrom === undefined ? undefined : list.current?.children[newFrom];
    line?.querySelector('button')?.focus({ preventScroll: true });
  }, [newFrom]);
  const episodeOf = ({ guideId = '', name, seconds }: Item): QueuedEpisode => ({
    guideId,
    name,
    showId,
    show: showTitle,
    seconds,
  });
  return (
    <section className={styles['topics']}>
      <h2>{t('show.topics')}</h2>
      <ol ref={list} className={styles['list']}>
        {section.items.map((item) => (
          <EpisodeLine
            key={item.key}
            episode={episodeOf(item)}
            date={item.subtext}
            isNew={isNew(item.guideId)}
          />
        ))}
      </ol>
      {hasFailed && <p role="alert">{t('items.moreFailed')}</p>}
      {more && (
        <Button className={styles['more'] ?? ''} aria-busy={isWaiting} onClick={more}>
          {isWaiting ? t('state.slow') : t('show.older')}
        </Button>
      )}
    </section>
  );
}
