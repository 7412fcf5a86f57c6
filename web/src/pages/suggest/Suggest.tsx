import type { ReactNode } from 'react';
import { useSearch } from 'wouter';
import { usePageTitle } from '../../app/title.ts';
import forms from '../../session/forms/forms.module.css';
import { useWords } from '../../i18n/use-words.ts';
import { Outcome } from './Outcome.tsx';
import { SuggestForm } from './SuggestForm.tsx';

/** For a station that is missing. What became of a suggestion is at `?id=`, also after a reload. */
export default function Suggest(): ReactNode {
  const { t } = useWords();
  const params = new URLSearchParams(useSearch());
  const id = params.get('id');
  usePageTitle(t('suggest.title'));
  return (
    <div className={forms['page']}>
      <header className={forms['intro']}>
        <h1>{t('suggest.title')}</h1>
        {id === null && <p>{t('suggest.intro')}</p>}
      </header>
      {id === null ? <SuggestForm name={params.get('name') ?? ''} /> : <Outcome id={id} />}
    </div>
  );
}
