import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../../design/Button.tsx';
import type { Section } from '../../items/sections.ts';
import { usePages } from '../../items/use-pages.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Show.module.css';
import { TopicLine } from './TopicLine.tsx';

interface Props {
  section: Section;
  showTitle: string;
}

/** The topics of a show, the newest first. */
export function Topics({ section: first, showTitle }: Props): ReactNode {
  const { t } = useWords();
  const { section, more, isWaiting, hasFailed, newFrom } = usePages(first);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const line = newFrom === undefined ? undefined : list.current?.children[newFrom];
    line?.querySelector('button')?.focus({ preventScroll: true });
  }, [newFrom]);
  return (
    <section className={styles['topics']}>
      <h2>{t('show.topics')}</h2>
      <ol ref={list} className={styles['list']}>
        {section.items.map((item) => (
          <TopicLine key={item.key} item={item} showTitle={showTitle} />
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
