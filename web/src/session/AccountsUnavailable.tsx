import type { ReactNode } from 'react';
import { Empty } from '../design/Empty.tsx';
import type { Level } from '../design/Heading.tsx';
import { useWords } from '../i18n/use-words.ts';
import { useSession } from './use-session.ts';

/** Where signing in is not possible: says why, and what would have to be done. */
export function AccountsUnavailable({ level = 2 }: { level?: Level }): ReactNode {
  const { t } = useWords();
  const { door } = useSession();
  return (
    <Empty title={t('account.closedTitle')} level={level}>
      <p>{t(door === 'insecure' ? 'account.insecure' : 'account.closed')}</p>
    </Empty>
  );
}
