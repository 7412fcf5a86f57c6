import { type ReactNode, useState } from 'react';
import { Field } from '../../design/Field.tsx';
import { changeAccount } from '../../session/calls/account-calls.ts';
import { useDoing } from '../../session/forms/use-doing.ts';
import { type SiteAccount, useSession } from '../../session/use-session.ts';
import { useWords } from '../../i18n/use-words.ts';
import { SettingForm } from './Setting.tsx';

const EMPTY = { old: '', new: '' };

export function PasswordSetting({ account }: { account: SiteAccount }): ReactNode {
  const { t } = useWords();
  const { refresh } = useSession();
  const [typed, setTyped] = useState(EMPTY);
  const doing = useDoing();
  const save = async (): Promise<void> => {
    await changeAccount({ password: typed });
    setTyped(EMPTY);
    await refresh();
  };
  return (
    <SettingForm
      title={t('account.password')}
      text={t('settings.passwordText')}
      doing={doing}
      save={save}
      isChanged={typed.old !== '' && typed.new !== ''}
    >
      {/* Password managers need the user name. */}
      <input type="hidden" name="username" autoComplete="username" value={account.username} readOnly />
      <Field
        label={t('settings.passwordOld')}
        value={typed.old}
        onChange={({ target }) => setTyped((last) => ({ ...last, old: target.value }))}
        type="password"
        autoComplete="current-password"
        required
      />
      <Field
        label={t('settings.passwordNew')}
        hint={t('register.passwordHint')}
        value={typed.new}
        onChange={({ target }) => setTyped((last) => ({ ...last, new: target.value }))}
        type="password"
        autoComplete="new-password"
        minLength={8}
        maxLength={128}
        required
      />
    </SettingForm>
  );
}
