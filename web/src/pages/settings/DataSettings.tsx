import { type ReactNode, useState } from 'react';
import { Button } from '../../design/Button.tsx';
import { ACCOUNT_EXPORT } from '../../session/calls/account-calls.ts';
import type { SiteAccount } from '../../session/use-session.ts';
import { useWords } from '../../i18n/use-words.ts';
import { DeleteDialog } from './DeleteDialog.tsx';
import { Setting } from './Setting.tsx';
import styles from './Settings.module.css';

/** The listener's data: to export, and to delete. */
export function DataSettings({ account }: { account: SiteAccount }): ReactNode {
  const { t } = useWords();
  const [isDeleting, setIsDeleting] = useState(false);
  return (
    <>
      <Setting title={t('settings.export')} text={t('settings.exportText')}>
        <a className={styles['download']} href={ACCOUNT_EXPORT} download>
          {t('settings.exportLink')}
        </a>
      </Setting>
      <Setting title={t('settings.delete')} text={t('settings.deleteText')}>
        <Button kind="grave" onClick={() => setIsDeleting(true)}>
          {t('settings.delete')}
        </Button>
      </Setting>
      {isDeleting && <DeleteDialog account={account} onClose={() => setIsDeleting(false)} />}
    </>
  );
}
