import type { ReactNode } from 'react';
import { clockIn } from '../../../items/local-format.ts';
import { useWords } from '../../../i18n/use-words.ts';
import { type Broadcast, type Day, isOn, placeOn } from './day.ts';
import styles from './Schedule.module.css';

const HOURS = [0, 6, 12, 18] as const;

/** The whole day on one scale, with the needle at the current time. The list under it says the same in words. */
export function DayStrip({
  day,
  broadcasts,
  now,
}: {
  day: Day;
  broadcasts: readonly Broadcast[];
  now: number;
}): ReactNode {
  const { language } = useWords();
  const clock = clockIn(language);
  const percent = (instant: number): string => `${(placeOn(day, instant) * 100).toFixed(3)}%`;
  const hour = (number: number): number => new Date(day.startsAt).setHours(number);
  const isToday = day.startsAt <= now && now < day.endsAt;
  return (
    <div className={styles['strip']} aria-hidden="true">
      {broadcasts.map((broadcast) => {
        const width = (placeOn(day, broadcast.endsAt) - placeOn(day, broadcast.startsAt)) * 100;
        const style = {
          insetInlineStart: percent(broadcast.startsAt),
          inlineSize: `calc(${width.toFixed(3)}% - 2px)`,
        };
        return (
          <span
            key={broadcast.startsAt}
            className={styles['part']}
            style={style}
            title={broadcast.title}
            data-on={isOn(broadcast, now) || undefined}
          />
        );
      })}
      {isToday && <span className={styles['needle']} style={{ insetInlineStart: percent(now) }} />}
      {HOURS.map((number) => (
        <span key={number} className={styles['hour']} style={{ insetInlineStart: percent(hour(number)) }}>
          {clock.format(hour(number))}
        </span>
      ))}
    </div>
  );
}
