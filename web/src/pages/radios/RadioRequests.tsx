import { type ReactNode, useState } from 'react';
import { Broken } from '../../design/Broken.tsx';
import { Slow } from '../../design/Slow.tsx';
import { type Radio, listRequests } from '../../session/radio-calls.ts';
import { useSite } from '../../session/use-site.ts';
import { useWords } from '../../i18n/use-words.ts';
import { writeMoment } from './ago.ts';
import styles from './Radios.module.css';

/** A radio's recent requests and their answers, loaded when the section is opened. */
export function RadioRequests({ radio }: { radio: Radio }): ReactNode {
  const { t } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={styles['requests']} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{t('radios.requests')}</summary>
      {isOpen && <Requests radio={radio} />}
    </details>
  );
}

function Requests({ radio: { id, name } }: { radio: Radio }): ReactNode {
  const { t, language } = useWords();
  const { value: requests, error, again } = useSite(`requests ${id}`, (signal) => listRequests(id, signal));
  if (error !== undefined) return <Broken error={error} again={again} />;
  if (!requests) return <Slow />;
  if (requests.length === 0) return <p className={styles['facts']}>{t('radios.noRequests')}</p>;
  return (
    <div
      className={styles['scroll']}
      tabIndex={0}
      role="region"
      aria-label={t('radios.requestsOf', { name })}
    >
      <table aria-label={t('radios.requestsOf', { name })}>
        <thead>
          <tr>
            <th scope="col">{t('radios.when')}</th>
            <th scope="col">{t('radios.asked')}</th>
            <th scope="col">{t('radios.told')}</th>
          </tr>
        </thead>
        <tbody>
          {requests.map(({ at, what, answer, status }, index) => (
            <tr key={`${at} ${index}`}>
              <td>
                <time dateTime={at}>{writeMoment(at, { now: Date.now(), language })}</time>
              </td>
              <td dir="auto">{what}</td>
              <td dir="auto" data-refused={status >= 400 || undefined}>
                {answer}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
