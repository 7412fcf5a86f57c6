import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../../design/Button.tsx';
import { Dialog } from '../../design/Dialog.tsx';
import { Sign } from '../../design/Sign.tsx';
import { useWords } from '../../i18n/use-words.ts';
import { clockIn } from '../../items/local-format.ts';
import type { Alarm } from './alarm.ts';
import type { AlarmState } from './alarm-clock.ts';
import styles from './Alarm.module.css';
import { allowTone } from './tone.ts';
import { alarmClock, useAlarm } from './use-alarm.ts';
import { holdAwake } from './wake-lock.ts';

/** Above the player as long as an alarm is set; a dialog when it rings. */
export default function AlarmNote(): ReactNode {
  const state = useAlarm();
  if (state.is === 'set') return <Waiting alarm={state.alarm} />;
  if (state.is === 'ringing') return <Ringing state={state} />;
  return state.is === 'missed' ? <Missed alarm={state.alarm} /> : null;
}

/** Browsers that do not tell are taken at their best. */
const wasTouched = (): boolean => !('userActivation' in navigator) || navigator.userActivation.hasBeenActive;

const useClockText = (at: number): string => clockIn(useWords().language).format(at);

function Waiting({ alarm: { at, item } }: { alarm: Alarm }): ReactNode {
  const { t } = useWords();
  const time = useClockText(at);
  const [isAwake, setIsAwake] = useState<boolean>();
  // A page that was loaded again and not touched since may not make a sound.
  const [isAllowed, setIsAllowed] = useState(wasTouched);
  useEffect(() => holdAwake(setIsAwake), []);
  useEffect(() => {
    const touched = (): void => setIsAllowed(true);
    addEventListener('pointerup', touched);
    addEventListener('keyup', touched);
    return () => {
      removeEventListener('pointerup', touched);
      removeEventListener('keyup', touched);
    };
  }, []);
  return (
    <div className={styles['note']}>
      <p role="status">
        <Sign name="bell" size={18} /> <strong>{t('alarm.isSet', { time, name: item.name })}</strong>{' '}
        {isAwake !== undefined && t(isAwake ? 'alarm.awake' : 'alarm.notAwake')}
      </p>
      {!isAllowed && <Button onClick={allowTone}>{t('alarm.touch')}</Button>}
      <Button onClick={alarmClock.off}>{t('alarm.off')}</Button>
    </div>
  );
}

function Ringing({ state: { alarm, isTone } }: { state: AlarmState & { is: 'ringing' } }): ReactNode {
  const { t } = useWords();
  const time = useClockText(alarm.at);
  return (
    <Dialog
      title={t('alarm.ringing', { time })}
      onClose={alarmClock.off}
      actions={
        <>
          <Button onClick={alarmClock.snooze}>{t('alarm.snooze')}</Button>
          {!isTone && <Button onClick={alarmClock.off}>{t('alarm.listen')}</Button>}
          <Button kind="main" onClick={alarmClock.stopRinging}>
            {t('player.stop')}
          </Button>
        </>
      }
    >
      <p role="status" className={styles['ringing']}>
        {isTone ? t('alarm.tone', { name: alarm.item.name }) : <bdi>{alarm.item.name}</bdi>}
      </p>
    </Dialog>
  );
}

function Missed({ alarm: { at } }: { alarm: Alarm }): ReactNode {
  const { t } = useWords();
  return (
    <div className={styles['note']}>
      <p role="alert">{t('alarm.missed', { time: useClockText(at) })}</p>
      <Button kind="bare" isRound aria-label={t('shell.close')} onClick={alarmClock.off}>
        <Sign name="close" size={20} />
      </Button>
    </div>
  );
}
