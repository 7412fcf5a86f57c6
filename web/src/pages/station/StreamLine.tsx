import type { ReactNode } from 'react';
import { formatLocale } from '../../items/local-format.ts';
import { webAddress } from '../../items/web-address.ts';
import type { MessageKey } from '../../words/messages.ts';
import { useWords } from '../../words/use-words.ts';
import { Days } from './Days.tsx';
import type { ExplainedStream } from './explained.ts';
import styles from './Streams.module.css';

const HEALTH = {
  plays: 'station.healthPlays',
  trouble: 'station.healthTrouble',
  unknown: 'station.healthUnknown',
} as const satisfies Record<ExplainedStream['health'], MessageKey>;

export function StreamLine({ stream }: { stream: ExplainedStream }): ReactNode {
  const { t, language } = useWords();
  const { format, bitrate, reliability, health, reason, heardAt, address, days } = stream;
  const when = new Intl.DateTimeFormat(formatLocale(language), { dateStyle: 'medium', timeStyle: 'short' });
  const href = webAddress(address);
  return (
    <li className={styles['stream']}>
      <p className={styles['kind']}>
        <span className={styles['dot']} data-health={health} aria-hidden="true" />
        <strong>
          {[format, bitrate && `${bitrate} kbit/s`].filter(Boolean).join(' · ') || t('station.formatUnknown')}
        </strong>
        <span>{t(HEALTH[health])}</span>
        <span>{t('station.reliability', { percent: reliability })}</span>
      </p>
      {days.some((day) => day !== 'unknown') && <Days days={days} />}
      <p className={styles['note']} lang="en" dir="ltr">
        {reason}
      </p>
      {heardAt !== undefined && (
        <p className={styles['note']}>{t('station.heardAt', { when: when.format(heardAt) })}</p>
      )}
      <LastFailure stream={stream} when={when} />
      {href !== undefined && (
        <a href={href} rel="noopener noreferrer nofollow" target="_blank" dir="ltr">
          {address}
        </a>
      )}
    </li>
  );
}

interface FailureProps {
  stream: ExplainedStream;
  when: Intl.DateTimeFormat;
}

function LastFailure({ stream: { health, failedAt, failure, steps }, when }: FailureProps): ReactNode {
  const { t } = useWords();
  const reason = failure ?? (health === 'trouble' ? steps.at(-1) : undefined);
  const since = failedAt === undefined ? undefined : t('station.failedAt', { when: when.format(failedAt) });
  if (since === undefined && reason === undefined) return null;
  return (
    <p className={styles['note']}>
      {since}
      {since !== undefined && reason !== undefined && ' · '}
      <bdi lang="en">{reason}</bdi>
    </p>
  );
}
