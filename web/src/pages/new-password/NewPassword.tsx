import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { usePageTitle } from '../../app/title.ts';
import { Empty } from '../../design/Empty.tsx';
import { AccountsUnavailable } from '../../session/AccountsUnavailable.tsx';
import forms from '../../session/forms/forms.module.css';
import { useSession } from '../../session/use-session.ts';
import { useWords } from '../../i18n/use-words.ts';
import { NewPasswordForm } from './NewPasswordForm.tsx';
import { type PasswordLink, parseLink } from './link.ts';

/** The target of the link in a password mail. */
export default function NewPassword(): ReactNode {
  const { t } = useWords();
  const { door } = useSession();
  const link = useLink();
  usePageTitle(t('newPassword.title'));
  if (door !== undefined && door !== 'open') return <AccountsUnavailable level={1} />;
  if (!link)
    return (
      <Empty title={t('newPassword.brokenTitle')} level={1}>
        <p>{t('newPassword.broken')}</p>
        <p>
          <Link href="/forgotten">{t('newPassword.another')}</Link>
        </p>
      </Empty>
    );
  return (
    <div className={forms['page']}>
      <header className={forms['intro']}>
        <h1>{t('newPassword.title')}</h1>
        <p>{t('newPassword.intro', { name: link.username })}</p>
      </header>
      <NewPasswordForm link={link} />
    </div>
  );
}

/**
 * The link opens an account: it is removed from the address immediately, so that neither the history nor a glance at
 * the screen reveals it.
 */
function useLink(): PasswordLink | undefined {
  const [link] = useState(() => parseLink(location.hash));
  useEffect(() => {
    if (link) history.replaceState(history.state, '', location.pathname);
  }, [link]);
  return link;
}
