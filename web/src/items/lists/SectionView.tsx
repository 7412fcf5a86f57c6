import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../../design/Button.tsx';
import { Heading, type Level } from '../../design/Heading.tsx';
import { useWords } from '../../i18n/use-words.ts';
import { ItemList } from './ItemList.tsx';
import type { Section } from './sections.ts';
import styles from './SectionView.module.css';
import type { Songs } from '../songs/use-playing.ts';
import { usePages } from './use-pages.ts';

interface Props {
  section: Section;
  level?: Level;
  shape?: 'grid' | 'column';
  songs?: Songs | undefined;
  here?: string | undefined;
  linkState?: object | undefined;
}

/** One part of a list: its heading, its lines, and a button for the next page. */
export function SectionView({
  section: first,
  level = 2,
  shape = 'grid',
  songs,
  ...places
}: Props): ReactNode {
  const { t } = useWords();
  const { section, more, isWaiting, hasFailed, newFrom } = usePages(first);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // Keyboard users continue with the first new row, even where the button is gone.
    const row = newFrom === undefined ? undefined : list.current?.children[newFrom];
    row?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
  }, [newFrom]);
  return (
    <section className={styles['section']}>
      {section.title !== undefined && (
        <Heading level={level} className={styles['title'] ?? ''}>
          {section.title}
        </Heading>
      )}
      <ItemList ref={list} items={section.items} songs={songs} shape={shape} {...places} />
      {hasFailed && <p role="alert">{t('items.moreFailed')}</p>}
      {more && (
        <Button className={styles['more'] ?? ''} aria-busy={isWaiting} onClick={more}>
          {isWaiting ? t('state.slow') : t('items.more')}
        </Button>
      )}
    </section>
  );
}
