import { type ReactNode, useMemo } from 'react';
import { useAnswer } from '../../directory/use-answer.ts';
import { ItemList } from '../../items/lists/ItemList.tsx';
import { sectionsOf } from '../../items/lists/sections.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Search.module.css';

/** Before anything is typed: what can be typed, and what is popular. */
export function Suggestions(): ReactNode {
  const { t } = useWords();
  const { value } = useAnswer('trending', (directory, call) => directory.browse.category('trending', call));
  const items = useMemo(() => (value ? sectionsOf(value).flatMap((section) => section.items) : []), [value]);
  return (
    <>
      <h1 className={styles['title']}>{t('shell.searchButton')}</h1>
      <p className={styles['hint']}>{t('search.hint')}</p>
      {items.length > 0 && (
        <section className={styles['part']}>
          <h2>{t('search.trending')}</h2>
          <ItemList items={items.slice(0, 12)} />
        </section>
      )}
    </>
  );
}
