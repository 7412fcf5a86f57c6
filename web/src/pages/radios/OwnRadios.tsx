import type { ReactNode } from 'react';
import { Broken } from '../../design/Broken.tsx';
import { Empty } from '../../design/Empty.tsx';
import { Slow } from '../../design/Slow.tsx';
import { Notice } from '../../session/forms/Notice.tsx';
import { dropRadio, listRadios, undoRadio } from './radio-calls.ts';
import { useFaultWords } from '../../session/forms/use-fault-words.ts';
import { useQueue } from '../../session/use-queue.ts';
import { useSite } from '../../session/use-site.ts';
import { useWords } from '../../i18n/use-words.ts';
import { DevicePassword } from './DevicePassword.tsx';
import { PairForm } from './PairForm.tsx';
import { RadioCard } from './RadioCard.tsx';
import styles from './Radios.module.css';

export function OwnRadios({ username }: { username: string }): ReactNode {
  const { t } = useWords();
  const { value: radios, error, again } = useSite(`radios ${username}`, listRadios);
  const { error: fault, run } = useQueue(again);
  const trouble = useFaultWords(fault).elsewhere([]);
  return (
    <>
      <PairForm onPaired={again} />
      <section className={styles['section']} aria-labelledby="own-radios">
        <h2 id="own-radios">{t('radios.yours')}</h2>
        {trouble && <Notice kind="trouble">{trouble}</Notice>}
        {error !== undefined && <Broken error={error} again={again} level={3} />}
        {!radios && error === undefined && <Slow />}
        {radios?.length === 0 && (
          <Empty title={t('radios.emptyTitle')} level={3}>
            <p>{t('radios.emptyText')}</p>
          </Empty>
        )}
        {radios && radios.length > 0 && (
          <ul className={styles['list']}>
            {radios.map((radio) => (
              <RadioCard
                key={radio.id}
                radio={radio}
                onChanged={again}
                onDrop={() => void run(() => dropRadio(radio.id))}
                onUndo={() => void run(() => undoRadio(radio.id))}
              />
            ))}
          </ul>
        )}
      </section>
      <DevicePassword username={username} />
    </>
  );
}
