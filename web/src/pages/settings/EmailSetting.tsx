import { type ReactNode, useState } from 'react';
import { Field } from '../../design/Field.tsx';
import { changeAccount } from '../../session/calls/account-calls.ts';
import { useDoing } from '../../session/forms/use-doing.ts';
import { useFaultWords } from '../../session/forms/use-fault-words.ts';
import { type SiteAccount, useSession } from '../../session/use-session.ts';
import { useWords } from '../../i18n/use-words.ts';
import { SettingForm } from './Setting.tsx';

export function EmailSetting({ account }: { account: SiteAccount }): ReactNode {
  const { t } = useWords();
  const { refresh } = useSession();
  const [email, setEmail] = useState(account.email);
  const [currentPassword, setCurrentPassword] = useState('');
  const isChanged = email.trim() !== account.email;
  const doing = useDoing();
  const faults = useFaultWords(doing.error);
  const save = async (): Promise<void> => {
    await changeAccount({ email: email.trim(), currentPassword });
    setCurrentPassword('');
    await refresh();
  };
  return (
    <SettingForm
      title={t('account.email')}
      text={t('settings.emailText')}
      doing={doing}
      save={save}
      isSingle={!isChanged}
      fields={['email', 'currentPassword']}
      isChanged={isChanged && currentPassword !== ''}
    >
      <Field
        label={t('account.email')}
        value={email}
        onChange={({ target }) => setEmail(target.value)}
        fault={faults.of('email')}
        type="email"
        autoComplete="email"
        required
      />
      {isChanged && (
        <Field
          label={t('settings.passwordOld')}
          value={currentPassword}
          onChange={({ target }) => setCurrentPassword(target.value)}
          fault={faults.of('currentPassword')}
          type="password"
          autoComplete="current-password"
          required
        />
      )}
    </SettingForm>
  );
}
