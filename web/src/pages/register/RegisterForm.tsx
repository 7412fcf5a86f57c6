import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../../design/Button.tsx';
import { Field } from '../../design/Field.tsx';
import { register } from '../../session/calls/account-calls.ts';
import { noSuchPlace } from '../../session/calls/api.ts';
import forms from '../../session/forms/forms.module.css';
import { Notice } from '../../session/forms/Notice.tsx';
import type { Place } from '../../session/calls/place-calls.ts';
import { placeChoice } from '../../session/forms/place-choice.ts';
import { PlaceField } from '../../session/forms/PlaceField.tsx';
import { useDoing } from '../../session/forms/use-doing.ts';
import { useFaultWords } from '../../session/forms/use-fault-words.ts';
import { useSession } from '../../session/use-session.ts';
import { useWords } from '../../i18n/use-words.ts';

const FIELDS = ['username', 'email', 'password', 'place'] as const;
const EMPTY = { username: '', email: '', password: '', place: '' };

export function RegisterForm(): ReactNode {
  const { t, language } = useWords();
  const { signedIn } = useSession();
  const [typed, setTyped] = useState(EMPTY);
  const [chosen, setChosen] = useState<Place>();
  const { isBusy, error, onSubmit } = useDoing();
  const faults = useFaultWords(error);
  const form = useRef<HTMLFormElement>(null);
  // Focuses the first field with an error.
  useEffect(() => {
    if (error !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  const send = async (): Promise<void> => {
    const place = placeChoice(typed.place, chosen);
    if (!place) throw noSuchPlace();
    const { username, email, password } = typed;
    await register({ username: username.trim(), email: email.trim(), password, place, language });
    await signedIn();
  };
  const bind = (name: 'username' | 'email' | 'password') => ({
    name,
    value: typed[name],
    fault: faults.of(name),
    required: true,
    onChange: ({ target }: { target: { value: string } }) =>
      setTyped((last) => ({ ...last, [name]: target.value })),
  });
  const elsewhere = faults.elsewhere(FIELDS);
  return (
    <form ref={form} className={forms['form']} onSubmit={onSubmit(send)}>
      {elsewhere && <Notice kind="trouble">{elsewhere}</Notice>}
      <Field
        {...bind('username')}
        label={t('account.username')}
        hint={t('register.usernameHint')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={12}
      />
      <Field {...bind('email')} label={t('account.email')} type="email" autoComplete="email" />
      <Field
        {...bind('password')}
        label={t('account.password')}
        hint={t('register.passwordHint')}
        type="password"
        autoComplete="new-password"
        minLength={8}
        maxLength={128}
      />
      <PlaceField
        text={typed.place}
        hint={t('register.placeHint')}
        fault={faults.of('place')}
        onChange={(place, found) => {
          setTyped((last) => ({ ...last, place }));
          setChosen(found);
        }}
      />
      <Button kind="main" type="submit" aria-busy={isBusy}>
        {t('register.button')}
      </Button>
    </form>
  );
}
