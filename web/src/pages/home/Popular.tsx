import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Broken } from '../../design/Broken.tsx';
import { guessedCountry } from '../../directory/first-call.ts';
import type { Answered } from '../../directory/use-answer.ts';
import type { Item } from '../../items/item.ts';
import { ItemList } from '../../items/lists/ItemList.tsx';
import { SlowList } from '../../items/lists/SlowList.tsx';
import type { Songs } from '../../items/songs/use-playing.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Home.module.css';

interface Props {
  popular: Answered<readonly Item[]>;
  songs: Songs;
  /** Whether nothing else on the page failed: then the error is shown here. Once is enough. */
  isAlone: boolean;
}

export function Popular({ popular: { value, error, isWaiting, again }, songs, isAlone }: Props): ReactNode {
  const { t } = useWords();
  const country = guessedCountry();
  if (value?.length === 0 || (error !== undefined && !isAlone)) return null;
  return (
    <section className={styles['part']}>
      <div className={styles['head']}>
        <h2>{t(country === undefined ? 'home.popular' : 'home.popularHere')}</h2>
        <Link
          href={`/browse?c=popular${country === undefined ? '' : `&country=${country}`}`}
          className={styles['all'] ?? ''}
        >
          {t('home.all')}
        </Link>
      </div>
      {isWaiting && <SlowList rows={9} />}
      {error !== undefined && <Broken error={error} again={again} level={3} />}
      {value && <ItemList items={value} songs={songs} areFirst />}
    </section>
  );
}
