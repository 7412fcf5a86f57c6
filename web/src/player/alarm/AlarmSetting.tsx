import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Button } from '../../design/Button.tsx';
import { Sign } from '../../design/Sign.tsx';
import { useWords } from '../../i18n/use-words.ts';
import { clockIn } from '../../items/local-format.ts';
import type { PlayerItem } from '../engine/state.ts';
import { nextAt } from './alarm.ts';
import styles from './Alarm.module.css';
import { wantAlarm } from './has-alarm.ts';
import { allowTone } from './tone.ts';
import { alarmClock, useAlarm } from './use-alarm.ts';

const USUAL = '07:00';

/** Sets the alarm to this station, and says what a browser can do and what it cannot. */
export function AlarmSetting({ item }: { item: PlayerItem }): ReactNode {
  const { t, language } = useWords();
  const state = useAlarm();
  const [time, setTime] = useState(USUAL);
  const id = useId();
  const set = (event: FormEvent): void => {
    event.preventDefault();
    const at = nextAt(time, Date.now());
    if (at === undefined) return;
    allowTone();
    alarmClock.set({ at, item });
    wantAlarm();
  };
  return (
    <section className={styles['setting']}>
      <h3>
        <Sign name="bell" size={20} /> {t('alarm.title')}
      </h3>
      {state.is === 'set' && (
        <p className={styles['row']}>
          <strong>
            {t('alarm.isSet', {
              time: clockIn(language).format(state.alarm.at),
              name: state.alarm.item.name,
            })}
          </strong>
          <Button onClick={alarmClock.off}>{t('alarm.off')}</Button>
        </p>
      )}
      <form className={styles['row']} onSubmit={set}>
        <label htmlFor={id}>{t('alarm.time')}</label>
        <input
          id={id}
          type="time"
          required
          value={time}
          onChange={({ target }) => setTime(target.value)}
          aria-describedby={`${id}-how`}
        />
        <Button type="submit">{t('alarm.set')}</Button>
      </form>
      <p id={`${id}-how`} className={styles['how']}>
        {t('alarm.honest')}
      </p>
    </section>
  );
}
