import type { ReactNode } from 'react';
import { useWords } from '../../i18n/use-words.ts';
import type { HouseRadio } from '../../session/calls/operator-calls.ts';
import { writeAgo, writeMoment } from '../radios/ago.ts';
import styles from './Operator.module.css';

/** Every radio that called lately, and why it does not play. */
export function HouseRadios({ radios }: { radios: readonly HouseRadio[] }): ReactNode {
  const { t } = useWords();
  return (
    <section className={styles['radios']}>
      <h2>{t('operator.radios')}</h2>
      {radios.length === 0 && <p>{t('operator.noRadios')}</p>}
      {radios.map((radio) => (
        <Called key={`${radio.address} ${radio.partnerId} ${radio.agent}`} radio={radio} />
      ))}
    </section>
  );
}

function Called({ radio }: { radio: HouseRadio }): ReactNode {
  const { t, language } = useWords();
  const { address, device, agent, seenAt, trouble, calls } = radio;
  const now = Date.now();
  return (
    <details>
      <summary>
        {device} · {address} · {writeAgo(seenAt, { now, language })}
        {trouble && (
          <p lang="en" data-trouble>
            {trouble.text} → <code>{trouble.mend}</code>
          </p>
        )}
      </summary>
      {agent !== '' && <p>{agent}</p>}
      <div
        className={styles['scroll']}
        tabIndex={0}
        role="region"
        aria-label={t('radios.requestsOf', { name: address })}
      >
        <table aria-label={t('radios.requestsOf', { name: address })}>
          <thead>
            <tr>
              <th scope="col">{t('radios.when')}</th>
              <th scope="col">{t('radios.asked')}</th>
              <th scope="col">{t('radios.told')}</th>
            </tr>
          </thead>
          <tbody>
            {calls.map(({ at, what, status, answer }, index) => (
              <tr key={`${at} ${index}`}>
                <td>
                  <time dateTime={at}>{writeMoment(at, { now, language })}</time>
                </td>
                <td dir="auto">{what}</td>
                <td dir="auto">{answer ?? status}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
