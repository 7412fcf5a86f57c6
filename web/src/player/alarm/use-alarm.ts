import { useSyncExternalStore } from 'react';
import { player } from '../player.ts';
import { keptAlarm } from './alarm.ts';
import { AlarmClock, type AlarmState } from './alarm-clock.ts';
import { startTone } from './tone.ts';

const TICK_MS = 1000;

/** The one alarm of this page. */
export const alarmClock = new AlarmClock({ player, kept: keptAlarm, startTone, wallNow: () => Date.now() });
setInterval(alarmClock.tick, TICK_MS);

export const useAlarm = (): AlarmState => useSyncExternalStore(alarmClock.subscribe, () => alarmClock.state);
