import { type ReactNode, useState } from 'react';
import { Field } from '../../design/Field.tsx';
import { changeAccount } from '../../session/account-calls.ts';
import { useDoing } from '../../session/use-doing.ts';
import { useFaultWords } from '../../session/use-fault-words.ts';
import { type SiteAccount, useSession } from '../../session/use-session.ts';
import { useWords } from '../../words/use-words.ts';
import { SettingForm } from './Setting.tsx';

export function EmailSetting({ account }: { account: SiteAccount }): ReactNode {
  const { t } = useWords();
  const { refresh } = useSession();
  const [email, setEmail] = useState(account.email);
  const doing = useDoing();
  const save = async (): Promise<void> => {
    await changeAccount({ email: email.trim() });
    await refresh();
  };
  return (
    <SettingForm
      title={t('account.email')}
      text={t('settings.emailText')}
      doing={doing}
      save={save}
      isSingle
      fields={['email']}
      isChanged={email.trim() !== account.email}
    >
      <Field
        label={t('account.email')}
        value={email}
        onChange={({ target }) => setEmail(target.value)}
        fault={useFaultWords(doing.error).of('email')}
        type="email"
        autoComplete="email"
        required
      />
    </SettingForm>
  );
}
