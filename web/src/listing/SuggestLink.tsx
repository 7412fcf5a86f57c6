import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useWords } from '../i18n/use-words.ts';
import styles from './Listing.module.css';

/** Who misses a station in a list can say so; with the words that did not find it. */
export function SuggestLink({ name = '' }: { name?: string }): ReactNode {
  const { t } = useWords();
  const query = name === '' ? '' : `?${new URLSearchParams({ name }).toString()}`;
  return (
    <p className={styles['missing']}>
      {t('suggest.missing')} <Link href={`/suggest${query}`}>{t('suggest.title')}</Link>
    </p>
  );
}
