import type { ReactNode } from 'react';
import { Link, useSearch } from 'wouter';
import { usePageTitle } from '../../app/title.ts';
import { AccountsUnavailable } from '../../session/AccountsUnavailable.tsx';
import forms from '../../session/forms/forms.module.css';
import { keepingNext } from '../../session/next-page.ts';
import { useSession } from '../../session/use-session.ts';
import { useWords } from '../../i18n/use-words.ts';
import { AskOperator } from './AskOperator.tsx';
import { ForgottenForm } from './ForgottenForm.tsx';

/** For a forgotten password: a link by mail, or whom to ask where no mail is sent. */
export default function Forgotten(): ReactNode {
  const { t } = useWords();
  const { door, helper: given, error } = useSession();
  // If that is unknown, the form's own errors say what to do.
  const helper = given ?? (error === undefined ? undefined : 'mail');
  const search = useSearch();
  usePageTitle(t('forgotten.title'));
  if (door !== undefined && door !== 'open') return <AccountsUnavailable level={1} />;
  return (
    <div className={forms['page']}>
      <header className={forms['intro']}>
        <h1>{t('forgotten.title')}</h1>
        {helper === 'mail' && <p>{t('forgotten.intro')}</p>}
      </header>
      {helper === 'mail' && <ForgottenForm />}
      {helper === 'operator' && <AskOperator />}
      <p className={forms['other']}>
        {t('forgotten.remembered')} <Link href={keepingNext('/sign-in', search)}>{t('shell.signIn')}</Link>
      </p>
    </div>
  );
}
