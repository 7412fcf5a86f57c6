import { type ReactNode, useMemo, useState } from 'react';
import { Broken } from '../../../design/Broken.tsx';
import { Slow } from '../../../design/Slow.tsx';
import { Tabs } from '../../../design/Tabs.tsx';
import type { Answered } from '../../../directory/use-answer.ts';
import { formatLocale } from '../../../items/local-format.ts';
import { useWords } from '../../../i18n/use-words.ts';
import { DayList } from './DayList.tsx';
import { DayStrip } from './DayStrip.tsx';
import { type Broadcast, type Day, dayOf } from './day.ts';
import styles from './Schedule.module.css';
import { useDay } from './use-day.ts';

/** Today and the next two days: as far as most schedules reach. */
const DAYS = [0, 1, 2] as const;

interface Props {
  guideId: string;
  today: Answered<Broadcast[]>;
  now: number;
}

/** A station's schedule in the listener's own time zone. */
export function Schedule({ guideId, today, now }: Props): ReactNode {
  const { t, language } = useWords();
  const [chosen, setChosen] = useState('0');
  const weekday = useMemo(
    () => new Intl.DateTimeFormat(formatLocale(language), { weekday: 'long' }),
    [language],
  );
  const nameOf = (later: number): string =>
    later === 0 ? t('station.today') : weekday.format(dayOf(now, later).startsAt);
  const day = dayOf(now, Number(chosen));
  const other = useDay(guideId, chosen === '0' ? undefined : day);
  return (
    <section className={styles['schedule']}>
      <h2>{t('station.schedule')}</h2>
      <Tabs
        label={t('station.schedule')}
        tabs={DAYS.map((later) => ({ id: String(later), title: nameOf(later) }))}
        chosen={chosen}
        onChoose={setChosen}
      >
        <OneDay answered={chosen === '0' ? today : other} day={day} now={now} />
      </Tabs>
    </section>
  );
}

function OneDay({
  answered,
  day,
  now,
}: {
  answered: Answered<Broadcast[]>;
  day: Day;
  now: number;
}): ReactNode {
  const { t } = useWords();
  const { value, error, isWaiting, again } = answered;
  if (isWaiting) return <Slow />;
  if (error !== undefined) return <Broken error={error} again={again} level={3} />;
  if (!value || value.length === 0) return <p className={styles['nothing']}>{t('station.noSchedule')}</p>;
  return (
    <div className={styles['day']}>
      <DayStrip day={day} broadcasts={value} now={now} />
      <DayList key={day.name} broadcasts={value} now={now} />
    </div>
  );
}
