import { type ReactNode, useState } from 'react';
import { Button } from '../../design/Button.tsx';
import { Field } from '../../design/Field.tsx';
import { sendLink } from '../../session/calls/account-calls.ts';
import forms from '../../session/forms/forms.module.css';
import { Notice } from '../../session/forms/Notice.tsx';
import { useDoing } from '../../session/forms/use-doing.ts';
import { useFaultWords } from '../../session/forms/use-fault-words.ts';
import { useWords } from '../../i18n/use-words.ts';

/** The confirmation is the same in every case, so that it does not reveal whether an account exists. */
export function ForgottenForm(): ReactNode {
  const { t } = useWords();
  const [who, setWho] = useState('');
  const [sent, setSent] = useState<{ who: string; minutes: number }>();
  const { isBusy, error, onSubmit } = useDoing();
  const faults = useFaultWords(error);
  const elsewhere = faults.elsewhere(['who']);
  const send = async (): Promise<void> => {
    setSent(undefined);
    const asked = who.trim();
    const { minutes } = await sendLink(asked);
    setSent({ who: asked, minutes });
  };
  return (
    <form className={forms['form']} onSubmit={onSubmit(send)}>
      {elsewhere && <Notice kind="trouble">{elsewhere}</Notice>}
      {sent && <Notice kind="well">{t('forgotten.sent', sent)}</Notice>}
      <Field
        label={t('forgotten.who')}
        value={who}
        fault={faults.of('who')}
        onChange={({ target }) => setWho(target.value)}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <Button kind="main" type="submit" aria-busy={isBusy}>
        {t('forgotten.button')}
      </Button>
    </form>
  );
}
