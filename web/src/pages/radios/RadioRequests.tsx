import { type ReactNode, useState } from 'react';
import { Broken } from '../../design/Broken.tsx';
import { Slow } from '../../design/Slow.tsx';
import { type Radio, type RadioAct, listActs } from './radio-calls.ts';
import { useSite } from '../../session/use-site.ts';
import { useWords } from '../../i18n/use-words.ts';
import { writeMoment } from './ago.ts';
import { KeyPicture } from './KeyPicture.tsx';
import styles from './Radios.module.css';

/** What a radio did lately, loaded when the section is opened. */
export function RadioRequests({ radio }: { radio: Radio }): ReactNode {
  const { t } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={styles['requests']} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{t('radios.requests')}</summary>
      {isOpen && <Acts radio={radio} />}
    </details>
  );
}

function Acts({ radio: { id, name } }: { radio: Radio }): ReactNode {
  const { t } = useWords();
  const { value: acts, error, again } = useSite(`requests ${id}`, (signal) => listActs(id, signal));
  if (error !== undefined) return <Broken error={error} again={again} />;
  if (!acts) return <Slow />;
  if (acts.length === 0) return <p className={styles['facts']}>{t('radios.noRequests')}</p>;
  return (
    <ol className={styles['acts']} aria-label={t('radios.requestsOf', { name })}>
      {acts.map((act, index) => (
        <Act key={`${act.at} ${index}`} act={act} />
      ))}
    </ol>
  );
}

function Act({ act: { at, sentence, count, key, trouble } }: { act: RadioAct }): ReactNode {
  const { t, language } = useWords();
  return (
    <li data-refused={trouble !== undefined || undefined}>
      <KeyPicture name={key} />
      <div>
        <p dir="auto">
          {sentence}
          {count > 1 && <span className={styles['facts']}> · {t('radios.times', { count })}</span>}
        </p>
        {trouble !== undefined && (
          <p className={styles['trouble']} dir="auto">
            {trouble}
          </p>
        )}
      </div>
      <time className={styles['facts']} dateTime={at}>
        {writeMoment(at, { now: Date.now(), language })}
      </time>
    </li>
  );
}
