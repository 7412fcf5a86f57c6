import type { EngineDeps } from './deps.ts';
import type { Hearing } from './hearing.ts';
import { Listening } from './listening.ts';
import { SleepTimer } from './sleep-timer.ts';
import { type PlayerItem, type PlayerState, SILENCE } from './state.ts';

/** A topic with less than this left counts as finished. */
const NEARLY_OVER_SECONDS = 10;

/**
 * What plays, and what a listener does with it, without React and without the page; how it is found and kept playing is
 * in `Listening`.
 */
export class Engine {
  #state: PlayerState = SILENCE;
  #listening: Listening | undefined;
  readonly #sleep: SleepTimer;
  readonly #deps: EngineDeps;
  readonly #listeners = new Set<() => void>();

  constructor(deps: EngineDeps, volume = 1) {
    this.#deps = deps;
    this.#state = { ...SILENCE, volume };
    deps.sound.volume = volume;
    this.#sleep = new SleepTimer(deps, {
      changed: (sleepsAt) => this.#set({ sleepsAt }),
      over: () => this.#fallAsleep(),
    });
    deps.sound.addEventListener('timeupdate', () => this.#moved());
    deps.sound.addEventListener('durationchange', () => this.#moved());
  }

  get #hearing(): Hearing | undefined {
    return this.#listening?.hearing;
  }

  get state(): PlayerState {
    return this.#state;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  play = (item: PlayerItem): void => {
    this.#leave();
    this.#set({
      item,
      isWanted: true,
      status: 'loading',
      stream: undefined,
      position: 0,
      duration: undefined,
    });
    this.#set({ reason: undefined, isSecondTry: false, wasHeard: false, isOffline: false });
    const listening = new Listening(this.#deps, item, {
      set: (change) => this.#set(change),
      finished: () => this.#finish(item),
      brokeOff: () => this.#keepPosition(item),
    });
    this.#listening = listening;
    listening.start();
  };

  /** Shows an item as paused, for a press of play: what was heard before the page was reloaded. */
  offer = (item: PlayerItem): void => {
    if (!this.#state.item) this.#set({ item, status: 'paused' });
  };

  toggle = (): void => {
    const { item, status } = this.#state;
    if (!item) return;
    if (status === 'playing' || status === 'loading') {
      this.#set({ isWanted: false });
      this.#pause(item);
    } else if (this.#hearing && item.kind === 'topic') {
      this.#set({ isWanted: true });
      this.#hearing.resume();
    } else this.play(item);
  };

  /** Ends it and clears the player. */
  stop = (): void => {
    this.#leave();
    this.sleepIn(0);
    const { volume, isMuted } = this.#state;
    this.#set({ ...SILENCE, volume, isMuted });
  };

  setVolume = (volume: number): void => {
    const next = Math.min(1, Math.max(0, volume));
    this.#sleep.setVolume(next);
    this.#deps.sound.muted = false;
    this.#set({ volume: next, isMuted: false });
  };

  setMuted = (isMuted: boolean): void => {
    this.#deps.sound.muted = isMuted;
    this.#set({ isMuted });
  };

  /** Seeks within a topic; a live station cannot seek. */
  seek = (seconds: number): void => {
    const { item, duration } = this.#state;
    if (item?.kind !== 'topic' || !this.#hearing) return;
    this.#deps.sound.currentTime = Math.min(Math.max(0, seconds), duration ?? seconds);
    this.#moved();
  };

  /** Fades out and pauses after this many minutes; 0 cancels the timer. */
  sleepIn = (minutes: number): void => this.#sleep.set(minutes);

  /** Before the page closes: saves the exact position of a topic. */
  keepPlace = (): void => {
    if (this.#state.item) this.#keepPosition(this.#state.item);
  };

  #finish(item: PlayerItem): void {
    this.#deps.positions.forget(item.guideId);
    this.#set({ status: 'paused', position: 0 });
  }

  /** A station goes on without us: it is closed, and tuned again on resume. A topic keeps its position. */
  #pause(item: PlayerItem): void {
    if (item.kind === 'topic' && this.#state.status === 'playing') {
      this.#hearing?.pause();
      // Saves the current position and not the last reported one: no further report will come.
      this.#moved();
      this.#keepPosition(item);
    } else this.#leave();
    this.#set({ status: 'paused' });
  }

  #fallAsleep(): void {
    const { item, status } = this.#state;
    if (item && (status === 'playing' || status === 'loading')) this.#pause(item);
  }

  #leave(): void {
    const { item } = this.#state;
    if (item) this.#keepPosition(item);
    this.#listening?.leave();
    this.#listening = undefined;
  }

  #keepPosition({ kind, guideId }: PlayerItem): void {
    const { position, duration } = this.#state;
    if (kind !== 'topic' || position === 0) return;
    const isOver = duration !== undefined && position > duration - NEARLY_OVER_SECONDS;
    if (isOver) this.#deps.positions.forget(guideId);
    else this.#deps.positions.set(guideId, position);
  }

  #moved(): void {
    if (!this.#hearing) return;
    const { currentTime, duration } = this.#deps.sound;
    const { item } = this.#state;
    const known = item?.kind === 'topic' && Number.isFinite(duration) && duration > 0 ? duration : undefined;
    this.#set({ position: currentTime, duration: known });
    if (item && Math.floor(currentTime) % 5 === 0) this.#keepPosition(item);
  }

  #set(change: Partial<PlayerState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
