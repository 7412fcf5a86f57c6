import type { ReactNode } from 'react';
import { Broken } from '../../design/Broken.tsx';
import { Button } from '../../design/Button.tsx';
import { webAddress } from '../../items/web-address.ts';
import { Notice } from '../../session/forms/Notice.tsx';
import {
  decideSuggestion,
  type HeardSuggestion,
  listSuggestions,
} from '../../session/calls/suggestion-calls.ts';
import { useDoing } from '../../session/forms/use-doing.ts';
import { useFaultWords } from '../../session/forms/use-fault-words.ts';
import { useSite } from '../../session/use-site.ts';
import { useWords } from '../../i18n/use-words.ts';
import { writeAgo } from '../radios/ago.ts';
import styles from './Operator.module.css';

/** Stations that listeners miss and that were heard, to be listed or not. */
export function Suggestions(): ReactNode {
  const { t } = useWords();
  const { value, error, again, set } = useSite('suggestions', listSuggestions);
  const doing = useDoing();
  const fault = useFaultWords(doing.error).elsewhere([]);
  const decide = (id: string, accept: boolean): void =>
    void doing.run(async () => {
      const left = await decideSuggestion(id, accept);
      set(() => left);
    });
  if (value?.suggestions.length === 0) return null;
  return (
    <section className={styles['suggestions']} aria-busy={doing.isBusy}>
      <h2>{t('operator.suggestions')}</h2>
      {fault && <Notice kind="trouble">{fault}</Notice>}
      {error !== undefined && <Broken error={error} again={again} />}
      <ul>
        {value?.suggestions.map((suggestion) => (
          <Suggestion key={suggestion.id} suggestion={suggestion} decide={decide} />
        ))}
      </ul>
    </section>
  );
}

interface Props {
  suggestion: HeardSuggestion;
  decide: (id: string, accept: boolean) => void;
}

function Suggestion({ suggestion, decide }: Props): ReactNode {
  const { t, language } = useWords();
  const { id, name, address, homepage, place, codec, kbits, suggestedAt } = suggestion;
  const page = webAddress(homepage ?? undefined);
  const facts = [
    place,
    codec,
    kbits && `${kbits} kbit/s`,
    writeAgo(suggestedAt, { now: Date.now(), language }),
  ];
  return (
    <li>
      <div>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <p>{facts.filter(Boolean).join(' · ')}</p>
        <p dir="ltr">{address}</p>
        {page && (
          <p dir="ltr">
            <a href={page} target="_blank" rel="noopener noreferrer">
              {page}
            </a>
          </p>
        )}
      </div>
      <Button kind="main" onClick={() => decide(id, true)}>
        {t('operator.accept')}
      </Button>
      <Button onClick={() => decide(id, false)}>{t('operator.reject')}</Button>
    </li>
  );
}
