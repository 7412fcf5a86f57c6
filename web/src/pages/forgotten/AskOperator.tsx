import type { ReactNode } from 'react';
import { useWords } from '../../i18n/use-words.ts';
import styles from './AskOperator.module.css';

/** The operator's command; the name is the listener's own. */
const COMMAND = 'longwave account password';

/** Where no mail is sent: whom to ask, and what the operator does then. */
export function AskOperator(): ReactNode {
  const { t } = useWords();
  return (
    <div className={styles['ask']}>
      <p>{t('forgotten.operator')}</p>
      <p>
        {t('forgotten.operatorDoes')}{' '}
        <code className={styles['command']}>
          {COMMAND} {t('forgotten.yourName')}
        </code>
      </p>
    </div>
  );
}
