import type { ReactNode } from 'react';
import { Link, Redirect, useSearch } from 'wouter';
import { usePageTitle } from '../../app/title.ts';
import { AccountsUnavailable } from '../../session/AccountsUnavailable.tsx';
import { keepingNext, nextPage } from '../../session/next-page.ts';
import forms from '../../session/forms/forms.module.css';
import { useSession } from '../../session/use-session.ts';
import { useWords } from '../../i18n/use-words.ts';
import { SignInForm } from './SignInForm.tsx';

export default function SignIn(): ReactNode {
  const { t } = useWords();
  const { account, door, isPlain } = useSession();
  const search = useSearch();
  usePageTitle(t('signIn.title'));
  if (account) return <Redirect to={nextPage(search)} replace />;
  if (door !== undefined && door !== 'open') return <AccountsUnavailable level={1} />;
  return (
    <div className={forms['page']}>
      <header className={forms['intro']}>
        <h1>{t('signIn.title')}</h1>
        <p>{t('signIn.intro')}</p>
      </header>
      {isPlain && <p className={forms['plain']}>{t('account.plain')}</p>}
      <SignInForm />
      <p className={forms['other']}>
        <Link href={keepingNext('/forgotten', search)}>{t('signIn.forgotten')}</Link>
      </p>
      <p className={forms['other']}>
        {t('signIn.noAccount')} <Link href={keepingNext('/register', search)}>{t('account.makeOne')}</Link>
      </p>
    </div>
  );
}
