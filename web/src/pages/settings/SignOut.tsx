import type { ReactNode } from 'react';
import { Button } from '../../design/Button.tsx';
import { signOut } from '../../session/calls/account-calls.ts';
import { Notice } from '../../session/forms/Notice.tsx';
import { useDoing } from '../../session/forms/use-doing.ts';
import { useFaultWords } from '../../session/forms/use-fault-words.ts';
import { type SiteAccount, useSession } from '../../session/use-session.ts';
import { useWords } from '../../i18n/use-words.ts';
import { Setting } from './Setting.tsx';

export function SignOut({ account }: { account: SiteAccount }): ReactNode {
  const { t } = useWords();
  const { signedOut } = useSession();
  const { isBusy, error, run } = useDoing();
  const fault = useFaultWords(error).elsewhere([]);
  const leave = async (): Promise<void> => {
    await signOut();
    await signedOut();
  };
  return (
    <Setting title={t('settings.signedIn', { name: account.username })} text={t('settings.signedInText')}>
      {fault && <Notice kind="trouble">{fault}</Notice>}
      <Button aria-busy={isBusy} onClick={() => void run(leave)}>
        {t('settings.signOut')}
      </Button>
    </Setting>
  );
}
