import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { usePageTitle } from '../../app/title.ts';
import { Empty } from '../../design/Empty.tsx';
import { ClosedDoor } from '../../session/ClosedDoor.tsx';
import forms from '../../session/forms.module.css';
import { useSession } from '../../session/use-session.ts';
import { useWords } from '../../words/use-words.ts';
import { NewPasswordForm } from './NewPasswordForm.tsx';
import { type PasswordLink, parseLink } from './link.ts';

/** Where the link in a letter leads. */
export default function NewPassword(): ReactNode {
  const { t } = useWords();
  const { door } = useSession();
  const link = useLink();
  usePageTitle(t('newPassword.title'));
  if (door !== undefined && door !== 'open') return <ClosedDoor level={1} />;
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

/** It opens an account: it is taken out of the address at once, so that no history and no glance at the screen keeps it. */
function useLink(): PasswordLink | undefined {
  const [link] = useState(() => parseLink(location.hash));
  useEffect(() => {
    if (link) history.replaceState(history.state, '', location.pathname);
  }, [link]);
  return link;
}
