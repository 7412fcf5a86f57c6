import type { DayHealth } from '@longwave/client';
import type { ReactNode } from 'react';
import { formatLocale } from '../../../items/local-format.ts';
import type { MessageKey } from '../../../i18n/messages.ts';
import { useWords } from '../../../i18n/use-words.ts';
import styles from './Days.module.css';

const WORDS: readonly (readonly [DayHealth, MessageKey])[] = [
  ['heard', 'station.daysHeard'],
  ['mixed', 'station.daysMixed'],
  ['silent', 'station.daysSilent'],
  ['unknown', 'station.daysUnknown'],
];

const DAY_MS = 86_400_000;

/** A dot for each day, and their totals: the key to the dots, and what a screen reader reads. */
export function Days({ days }: { days: readonly DayHealth[] }): ReactNode {
  const { t, language } = useWords();
  // Checks are counted by UTC days.
  const date = new Intl.DateTimeFormat(formatLocale(language), { dateStyle: 'medium', timeZone: 'UTC' });
  const dateOf = (index: number): string => date.format(Date.now() - (days.length - 1 - index) * DAY_MS);
  const counts = WORDS.map(([health, key]) => ({
    health,
    key,
    count: days.filter((day) => day === health).length,
  }));
  return (
    <div className={styles['days']}>
      <div className={styles['dots']} aria-hidden="true">
        {days.map((health, index) => (
          <span key={dateOf(index)} className={styles['day']} data-day={health} title={dateOf(index)} />
        ))}
      </div>
      <ul className={styles['sums']}>
        {counts
          .filter(({ health, count }) => count > 0 || health === 'heard')
          .map(({ health, key, count }) => (
            <li key={health}>
              <span className={styles['day']} data-day={health} aria-hidden="true" />
              {t(key, { count, days: days.length })}
            </li>
          ))}
      </ul>
    </div>
  );
}
