import type { ReactNode } from 'react';
import { useWords } from '../i18n/use-words.ts';
import { useNewCount } from './new-count.ts';
import styles from './NewCount.module.css';

/** Beside the word Podcasts in the menu: how many episodes are new; nothing if none is. */
export function NewCount(): ReactNode {
  const { t } = useWords();
  const count = useNewCount();
  if (count === 0) return null;
  return (
    <b className={styles['count']} title={t('podcasts.newCount', { count })}>
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="heard-only">{t('podcasts.newCount', { count })}</span>
    </b>
  );
}
