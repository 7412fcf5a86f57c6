import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../design/Button.tsx';
import { Field } from '../../design/Field.tsx';
import forms from '../../session/forms/forms.module.css';
import { Notice } from '../../session/forms/Notice.tsx';
import { PlaceField } from '../../session/forms/PlaceField.tsx';
import { suggestStation, type Suggested } from '../../session/calls/suggestion-calls.ts';
import { useDoing } from '../../session/forms/use-doing.ts';
import { useFaultWords } from '../../session/forms/use-fault-words.ts';
import { useWords } from '../../i18n/use-words.ts';
import { AlreadyListed } from './AlreadyListed.tsx';

const MAX = { name: 120, address: 2048, homepage: 500 } as const;

export function SuggestForm({ name: given }: { name: string }): ReactNode {
  const { t } = useWords();
  const [, go] = useLocation();
  const [fields, setFields] = useState({ name: given.slice(0, MAX.name), address: '', homepage: '' });
  const [place, setPlace] = useState<{ text: string; id: string | undefined }>({ text: '', id: undefined });
  const [listed, setListed] = useState<Suggested['station']>();
  const { isBusy, error, onSubmit } = useDoing();
  const faults = useFaultWords(error);
  const elsewhere = faults.elsewhere(['name', 'address']);
  const send = async (): Promise<void> => {
    setListed(undefined);
    const { id, station } = await suggestStation({ ...fields, place: place.id });
    if (id === undefined) setListed(station);
    else go(`/suggest?id=${id}`);
  };
  const inputOf = (name: keyof typeof fields) => ({
    value: fields[name],
    maxLength: MAX[name],
    autoComplete: 'off',
    onChange: ({ target }: { target: { value: string } }) =>
      setFields((known) => ({ ...known, [name]: target.value })),
  });
  return (
    <form className={forms['form']} onSubmit={onSubmit(send)}>
      {elsewhere && <Notice kind="trouble">{elsewhere}</Notice>}
      {listed && <AlreadyListed station={listed} />}
      <Field label={t('suggest.name')} fault={faults.of('name')} required {...inputOf('name')} />
      <Field
        label={t('suggest.address')}
        hint={t('suggest.addressHint')}
        fault={faults.of('address') && t('suggest.faultAddress')}
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        required
        {...inputOf('address')}
      />
      <Field
        label={t('suggest.homepage')}
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        {...inputOf('homepage')}
      />
      <PlaceField
        label={t('suggest.place')}
        isOptional
        text={place.text}
        onChange={(text, chosen) => setPlace({ text, id: chosen?.id })}
      />
      <p className={forms['other']}>{t('suggest.kept')}</p>
      <Button kind="main" type="submit" aria-busy={isBusy}>
        {t('suggest.send')}
      </Button>
    </form>
  );
}
