import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Button } from '../../design/Button.tsx';
import { Field } from '../../design/Field.tsx';
import { chooseByLink } from '../../session/calls/account-calls.ts';
import forms from '../../session/forms/forms.module.css';
import { Notice } from '../../session/forms/Notice.tsx';
import { useDoing } from '../../session/forms/use-doing.ts';
import { useFaultWords } from '../../session/forms/use-fault-words.ts';
import { useSession } from '../../session/use-session.ts';
import { useWords } from '../../i18n/use-words.ts';
import type { PasswordLink } from './link.ts';

export function NewPasswordForm({ link }: { link: PasswordLink }): ReactNode {
  const { t } = useWords();
  const { signedIn } = useSession();
  const [, navigate] = useLocation();
  const [password, setPassword] = useState('');
  const { isBusy, error, onSubmit } = useDoing();
  const faults = useFaultWords(error);
  const elsewhere = faults.elsewhere(['password', 'token']);
  const isOver = faults.of('token');
  const send = async (): Promise<void> => {
    await chooseByLink({ ...link, password });
    await signedIn();
    navigate('/presets', { replace: true });
  };
  return (
    <form className={forms['form']} onSubmit={onSubmit(send)}>
      {elsewhere && <Notice kind="trouble">{elsewhere}</Notice>}
      {isOver && (
        <Notice kind="trouble">
          {isOver} <Link href="/forgotten">{t('newPassword.another')}</Link>
        </Notice>
      )}
      {/* Password managers need the user name. */}
      <input type="hidden" name="username" autoComplete="username" value={link.username} readOnly />
      <Field
        label={t('settings.passwordNew')}
        hint={t('register.passwordHint')}
        value={password}
        fault={faults.of('password')}
        onChange={({ target }) => setPassword(target.value)}
        type="password"
        name="password"
        autoComplete="new-password"
        minLength={8}
        maxLength={128}
        required
      />
      <Button kind="main" type="submit" aria-busy={isBusy}>
        {t('newPassword.button')}
      </Button>
    </form>
  );
}
