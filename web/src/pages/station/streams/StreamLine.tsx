import type { ExplainedStream } from '@longwave/client';
import type { ReactNode } from 'react';
import { formatLocale } from '../../../items/local-format.ts';
import { webAddress } from '../../../items/web-address.ts';
import type { MessageKey } from '../../../i18n/messages.ts';
import { useWords } from '../../../i18n/use-words.ts';
import { Days } from './Days.tsx';
import { type StreamHealth, healthOf, kindOf } from './stream-facts.ts';
import styles from './Streams.module.css';
import { whyHere } from './why-here.ts';
import { whySilent } from './why-silent.ts';

const HEALTH = {
  plays: 'station.healthPlays',
  trouble: 'station.healthTrouble',
  unknown: 'station.healthUnknown',
} as const satisfies Record<StreamHealth, MessageKey>;

interface Props {
  stream: ExplainedStream;
  /** How many of the station's streams are offered to this browser. */
  given: number;
}

export function StreamLine({ stream, given }: Props): ReactNode {
  const { t, language } = useWords();
  const { reliability, heardAt, url, days } = stream;
  const health = healthOf(stream);
  const when = new Intl.DateTimeFormat(formatLocale(language), { dateStyle: 'medium', timeStyle: 'short' });
  const href = webAddress(url);
  return (
    <li className={styles['stream']}>
      <p className={styles['kind']}>
        <span className={styles['dot']} data-health={health} aria-hidden="true" />
        <strong>{kindOf(stream) || t('station.formatUnknown')}</strong>
        <span>{t(HEALTH[health])}</span>
        <span>{t('station.reliability', { percent: reliability })}</span>
      </p>
      {days.some((day) => day !== 'unknown') && <Days days={days} />}
      <p className={styles['note']}>{t(whyHere(stream, given))}</p>
      {heardAt !== undefined && (
        <p className={styles['note']}>{t('station.heardAt', { when: when.format(heardAt) })}</p>
      )}
      <LastFailure stream={stream} when={when} />
      {href !== undefined && (
        <a href={href} rel="noopener noreferrer nofollow" target="_blank" dir="ltr">
          {url}
        </a>
      )}
    </li>
  );
}

interface FailureProps {
  stream: ExplainedStream;
  when: Intl.DateTimeFormat;
}

function LastFailure({ stream, when }: FailureProps): ReactNode {
  const { t } = useWords();
  const { failedAt } = stream;
  if (failedAt === undefined && healthOf(stream) !== 'trouble') return null;
  return (
    <p className={styles['note']}>
      {failedAt !== undefined && `${t('station.failedAt', { when: when.format(failedAt) })} · `}
      {t(whySilent(stream))}
    </p>
  );
}
