import type { ReactNode } from 'react';
import { changeAccount } from '../../session/calls/account-calls.ts';
import { Notice } from '../../session/forms/Notice.tsx';
import { useDoing } from '../../session/forms/use-doing.ts';
import { useFaultWords } from '../../session/forms/use-fault-words.ts';
import { type SiteAccount, useSession } from '../../session/use-session.ts';
import { useWords } from '../../i18n/use-words.ts';
import { Setting } from './Setting.tsx';
import styles from './Settings.module.css';

/** Radios may read presets by user name alone, as the protocol allows; this turns it off. */
export function ReadingSetting({ account }: { account: SiteAccount }): ReactNode {
  const { t } = useWords();
  const { refresh } = useSession();
  const { isBusy, error, run } = useDoing();
  const fault = useFaultWords(error).elsewhere([]);
  const choose = async (readByName: boolean): Promise<void> => {
    await changeAccount({ readByName });
    await refresh();
  };
  return (
    <Setting title={t('settings.reading')} text={t('settings.readingText')}>
      {fault && <Notice kind="trouble">{fault}</Notice>}
      <label className={styles['switch']}>
        <input
          type="checkbox"
          role="switch"
          checked={account.readByName}
          aria-busy={isBusy}
          onChange={({ target }) => void run(() => choose(target.checked))}
        />
        {t('settings.readingSwitch', { name: account.username })}
      </label>
    </Setting>
  );
}
