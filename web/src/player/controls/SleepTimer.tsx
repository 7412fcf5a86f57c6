import { type ReactNode, useEffect, useState } from 'react';
import { Sign } from '../../design/Sign.tsx';
import { useWords } from '../../i18n/use-words.ts';
import styles from './SleepTimer.module.css';
import { usePlayer } from '../use-player.ts';

const CHOICES = [15, 30, 45, 60, 90];

interface Props {
  /** With its name beside it. */
  isLarge?: boolean;
}

/** The browser's own select behind a moon icon: it works by touch, keyboard and voice. */
export function SleepTimer({ isLarge = false }: Props): ReactNode {
  const { t } = useWords();
  const { state, sleepIn } = usePlayer();
  const left = useMinutesLeft(state.sleepsAt);
  const label = left === undefined ? t('player.sleep') : t('player.sleepLeft', { minutes: left });
  return (
    <span
      className={styles[isLarge ? 'large' : 'sleep']}
      data-on={left !== undefined || undefined}
      title={label}
    >
      <Sign name="moon" size={20} />
      {isLarge ? (
        <span aria-hidden="true">{label}</span>
      ) : (
        left !== undefined && <span aria-hidden="true">{left}</span>
      )}
      <select
        aria-label={label}
        value={left === undefined ? 0 : -1}
        onChange={({ target }) => sleepIn(Number(target.value))}
      >
        {left !== undefined && <option value={-1}>{label}</option>}
        <option value={0}>{t('player.sleepOff')}</option>
        {CHOICES.map((minutes) => (
          <option key={minutes} value={minutes}>
            {t('player.sleepIn', { minutes })}
          </option>
        ))}
      </select>
    </span>
  );
}

function useMinutesLeft(sleepsAt: number | undefined): number | undefined {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    setNow(performance.now());
    if (sleepsAt === undefined) return undefined;
    const timer = setInterval(() => setNow(performance.now()), 10_000);
    return () => clearInterval(timer);
  }, [sleepsAt]);
  return sleepsAt === undefined ? undefined : Math.max(1, Math.ceil((sleepsAt - now) / 60_000));
}
