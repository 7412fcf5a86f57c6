import type { Engine } from '../engine/engine.ts';
import { type Alarm, MAX_LATE_MS } from './alarm.ts';

export type AlarmState =
  | { readonly is: 'off' }
  | { readonly is: 'set'; readonly alarm: Alarm }
  /** `isTone` while the station is not heard, and a tone is. */
  | { readonly is: 'ringing'; readonly alarm: Alarm; readonly isTone: boolean }
  /** The page was closed, or the device asleep. */
  | { readonly is: 'missed'; readonly alarm: Alarm };

export interface AlarmDeps {
  player: Pick<Engine, 'state' | 'play' | 'toggle' | 'setVolume'>;
  /** What lasts through a reload; read again before it rings, since another tab may have taken it. */
  kept: { find: () => Alarm | undefined; set: (alarm: Alarm) => void; forget: () => void };
  /** Plays until the returned function is called. */
  startTone: () => () => void;
  wallNow: () => number;
}

/** A station that is not heard this long after its time gives way to a tone. */
const SILENT_MS = 15_000;
/** Whoever does not wake in this time is not there. */
const RING_MS = 15 * 60_000;
const SNOOZE_MS = 10 * 60_000;
/** A listener who fell asleep to quiet music would not hear it. */
const MIN_VOLUME = 0.6;

/** Wakes with a station, and with a tone where the station fails. `tick` is called every second. */
export class AlarmClock {
  #state: AlarmState = { is: 'off' };
  #heardAt = 0;
  #stopTone: (() => void) | undefined;
  readonly #deps: AlarmDeps;
  readonly #listeners = new Set<() => void>();

  constructor(deps: AlarmDeps) {
    this.#deps = deps;
    this.tick();
  }

  get state(): AlarmState {
    return this.#state;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(alarm: Alarm): void {
    this.#silence();
    this.#deps.kept.set(alarm);
    this.#change({ is: 'set', alarm });
  }

  /** Turns it off, before its time or when it rings; what plays goes on. */
  off = (): void => {
    this.#silence();
    this.#deps.kept.forget();
    this.#change({ is: 'off' });
  };

  stopRinging = (): void => {
    this.off();
    this.#pause();
  };

  snooze = (): void => {
    if (this.#state.is !== 'ringing') return;
    const { item } = this.#state.alarm;
    this.set({ item, at: this.#deps.wallNow() + SNOOZE_MS });
    this.#pause();
  };

  tick = (): void => {
    if (this.#state.is === 'ringing') return this.#ring(this.#state.alarm);
    if (this.#state.is === 'missed') return;
    const alarm = this.#deps.kept.find();
    const isSame = this.#state.is === 'set' && alarm?.at === this.#state.alarm.at;
    if (!alarm) return this.#state.is === 'off' ? undefined : this.#change({ is: 'off' });
    const lateMs = this.#deps.wallNow() - alarm.at;
    if (lateMs < 0) return isSame ? undefined : this.#change({ is: 'set', alarm });
    this.#deps.kept.forget();
    if (lateMs > MAX_LATE_MS) this.#change({ is: 'missed', alarm });
    else this.#start(alarm);
  };

  #start(alarm: Alarm): void {
    const { player, wallNow } = this.#deps;
    this.#heardAt = wallNow();
    // Muted is not asleep: a volume that is set is heard.
    player.setVolume(Math.max(MIN_VOLUME, player.state.volume));
    player.play(alarm.item);
    this.#change({ is: 'ringing', alarm, isTone: false });
  }

  #ring(alarm: Alarm): void {
    const { player, wallNow, startTone } = this.#deps;
    const now = wallNow();
    // Paused by a media key or on the lock screen, where the alarm's own buttons are not.
    if (!player.state.isWanted || now - alarm.at > RING_MS + MAX_LATE_MS) return this.off();
    if (player.state.status === 'playing') {
      this.#heardAt = now;
      this.#silence();
    } else if (now - this.#heardAt > SILENT_MS || isHopeless(player.state.status, player.state.reason))
      this.#stopTone ??= startTone();
    const isTone = this.#stopTone !== undefined;
    if (this.#state.is === 'ringing' && this.#state.isTone !== isTone)
      this.#change({ is: 'ringing', alarm, isTone });
  }

  #pause(): void {
    const { player } = this.#deps;
    if (player.state.status === 'playing' || player.state.status === 'loading') player.toggle();
  }

  #silence(): void {
    this.#stopTone?.();
    this.#stopTone = undefined;
  }

  #change(state: AlarmState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** Nothing comes of waiting for it. */
const isHopeless = (status: string, reason: string | undefined): boolean =>
  status === 'failed' || reason === 'touch';
