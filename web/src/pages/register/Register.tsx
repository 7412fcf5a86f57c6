import type { ReactNode } from 'react';
import { Link, Redirect, useSearch } from 'wouter';
import { usePageTitle } from '../../app/title.ts';
import { AccountsUnavailable } from '../../session/AccountsUnavailable.tsx';
import { isFromRadio, keepingNext, nextPage } from '../../session/next-page.ts';
import forms from '../../session/forms/forms.module.css';
import { useSession } from '../../session/use-session.ts';
import { useWords } from '../../i18n/use-words.ts';
import { RegisterForm } from './RegisterForm.tsx';
import { TwoPasswords } from './TwoPasswords.tsx';

/** Also the target of the registration link in a radio's menu: then it says so, and goes on to pairing. */
export default function Register(): ReactNode {
  const { t } = useWords();
  const { account, door, isPlain } = useSession();
  const search = useSearch();
  usePageTitle(t('register.title'));
  if (account) return <Redirect to={nextPage(search)} replace />;
  if (door !== undefined && door !== 'open') return <AccountsUnavailable level={1} />;
  return (
    <div className={forms['page']}>
      <header className={forms['intro']}>
        <h1>{t('register.title')}</h1>
        <p>{t(isFromRadio(new URLSearchParams(search)) ? 'register.introRadio' : 'register.intro')}</p>
      </header>
      {isPlain && <p className={forms['plain']}>{t('account.plain')}</p>}
      <div className={forms['body']}>
        <RegisterForm />
        <TwoPasswords />
      </div>
      <p className={forms['other']}>
        {t('register.haveOne')} <Link href={keepingNext('/sign-in', search)}>{t('shell.signIn')}</Link>
      </p>
    </div>
  );
}
