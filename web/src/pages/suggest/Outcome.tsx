import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import { Broken } from '../../design/Broken.tsx';
import { Slow } from '../../design/Slow.tsx';
import { SiteFault } from '../../session/calls/api.ts';
import forms from '../../session/forms/forms.module.css';
import { Notice } from '../../session/forms/Notice.tsx';
import { findSuggestion, type Suggested } from '../../session/calls/suggestion-calls.ts';
import { useSite } from '../../session/use-site.ts';
import { useWords } from '../../i18n/use-words.ts';
import { whySilent } from '../station/streams/why-silent.ts';
import { AlreadyListed } from './AlreadyListed.tsx';

/** A stream is heard within seconds, where a worker has time for it. */
const ASK_MS = 4000;

/** What became of a suggestion, as long as the page is open. */
export function Outcome({ id }: { id: string }): ReactNode {
  const { t } = useWords();
  const { value, error, again } = useSite(`suggestion ${id}`, (signal) => findSuggestion(id, signal));
  const isWaiting = value?.state === 'waiting';
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(again, ASK_MS);
    return () => clearInterval(timer);
  }, [isWaiting, again]);
  const isOver = error instanceof SiteFault && error.status === 404;
  if (error !== undefined && !isOver) return <Broken error={error} again={again} />;
  return (
    <div className={forms['form']}>
      {isOver && <Notice kind="trouble">{t('suggest.rejected')}</Notice>}
      {value ? <State suggested={value} /> : !isOver && <Slow />}
      <p className={forms['other']}>
        <Link href="/suggest">{t('suggest.another')}</Link>
      </p>
    </div>
  );
}

function State({ suggested: { state, why, station } }: { suggested: Suggested }): ReactNode {
  const { t } = useWords();
  if (state === 'waiting') return <Slow label={t('suggest.checking')} />;
  if (state === 'rejected') return <p>{t('suggest.rejected')}</p>;
  if (state === 'listed' && station) return <AlreadyListed station={station} />;
  if (state !== 'silent') return <Notice kind="well">{t('suggest.heard')}</Notice>;
  return (
    <>
      <Notice kind="trouble">{t('suggest.silent')}</Notice>
      <p>{t(whySilent({ failureCode: why ?? undefined, verdict: undefined }))}</p>
    </>
  );
}
