import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Broken } from '../../design/Broken.tsx';
import type { Answered } from '../../directory/use-answer.ts';
import type { Item } from '../../items/item.ts';
import { ItemList } from '../../items/ItemList.tsx';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Home.module.css';

interface Props {
  popular: Answered<readonly Item[]>;
  /** Whether nothing else on the page failed: then the error is shown here. Once is enough. */
  isAlone: boolean;
}

export function Popular({ popular: { value, error, isWaiting, again }, isAlone }: Props): ReactNode {
  const { t } = useWords();
  if (value?.length === 0 || (error !== undefined && !isAlone)) return null;
  return (
    <section className={styles['part']}>
      <div className={styles['head']}>
        <h2>{t('home.popular')}</h2>
        <Link href="/browse?c=popular" className={styles['all'] ?? ''}>
          {t('home.all')}
        </Link>
      </div>
      {isWaiting && <div className={styles['waiting']} aria-busy data-slow />}
      {error !== undefined && <Broken error={error} again={again} level={3} />}
      {value && <ItemList items={value} />}
    </section>
  );
}
