import { choosePlayable } from './choose-streams.ts';
import { Hearing, type HearingEnd } from './hearing.ts';
import { type Lost, reportLost } from './lost.ts';
import type { EngineDeps, Tuned } from './deps.ts';
import { Retries } from './retries.ts';
import { type Loss, Rounds } from './rounds.ts';
import { type PlayerItem, type PlayerState, type PlayerStream, SILENCE, type Why } from './state.ts';

/** A stream that played this long was a good one: when it breaks off, all are tried again. */
const GOOD_SECONDS = 10;
/** A topic with less than this left counts as finished. */
const NEARLY_OVER_SECONDS = 10;

/**
 * What plays and what happens next, without React and without the page: tunes a station or a topic, tries its streams
 * one after the other, and stays with the first that plays.
 */
export class Engine {
  #state: PlayerState = SILENCE;
  #giveUp: (() => void) | undefined;
  #hearing: Hearing | undefined;
  #stopSleep: (() => void) | undefined;
  readonly #deps: EngineDeps;
  readonly #listeners = new Set<() => void>();

  constructor(deps: EngineDeps, volume = 1) {
    this.#deps = deps;
    this.#state = { ...SILENCE, volume };
    deps.sound.volume = volume;
    deps.sound.addEventListener('timeupdate', () => this.#moved());
    deps.sound.addEventListener('durationchange', () => this.#moved());
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
    this.#set({ item, status: 'loading', stream: undefined, position: 0, duration: undefined });
    this.#set({ reason: undefined, isSecondTry: false });
    const ending = new AbortController();
    const retries = new Retries(this.#deps);
    this.#giveUp = () => {
      ending.abort();
      retries.stop();
    };
    void this.#tuneIn({ item, signal: ending.signal, retries, streams: [], good: new Set() });
  };

  /** Shows an item as paused, for a press of play: what was heard before the page was reloaded. */
  offer = (item: PlayerItem): void => {
    if (!this.#state.item) this.#set({ item, status: 'paused' });
  };

  toggle = (): void => {
    const { item, status } = this.#state;
    if (!item) return;
    if (status === 'playing' || status === 'loading') this.#pause(item);
    else if (this.#hearing && item.kind === 'topic') this.#hearing.resume();
    else this.play(item);
  };

  /** Ends it and clears the player. */
  stop = (): void => {
    this.#leave();
    this.sleepIn(0);
    const { volume, isMuted } = this.#state;
    this.#set({ ...SILENCE, volume, isMuted });
  };

  setVolume = (volume: number): void => {
    const { sound } = this.#deps;
    sound.volume = Math.min(1, Math.max(0, volume));
    sound.muted = false;
    this.#set({ volume: sound.volume, isMuted: false });
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

  /** Pauses after this many minutes; 0 cancels the timer. */
  sleepIn = (minutes: number): void => {
    this.#stopSleep?.();
    this.#stopSleep = undefined;
    this.#set({ sleepsAt: minutes > 0 ? this.#deps.now() + minutes * 60_000 : undefined });
    if (minutes > 0) this.#stopSleep = this.#deps.after(minutes * 60_000, () => this.#fallAsleep());
  };

  /** Before the page closes: saves the exact position of a topic. */
  keepPlace = (): void => {
    if (this.#state.item) this.#keepPosition(this.#state.item);
  };

  /** If the directory does not answer a second time, the streams it named before are used. */
  async #tuneIn(request: PlayRequest): Promise<void> {
    const { item, signal, streams: last } = request;
    const tuned = await this.#tuned(item, signal);
    if (signal.aborted) return;
    if (!tuned) return last.length > 0 ? this.#tryAll(request) : this.#tryLater(request, 'directory');
    const { streams, reason } = choosePlayable(tuned.streams, {
      isSecurePage: this.#deps.isSecurePage,
      canPlayType: (type) => this.#deps.sound.canPlayType(type),
    });
    if (reason) return this.#fail(tuned.isIncompatible ? 'format' : reason);
    this.#tryAll({ ...request, streams });
  }

  async #tuned(item: PlayerItem, signal: AbortSignal): Promise<Tuned | undefined> {
    const { address, guideId } = item;
    if (address !== undefined)
      return { streams: [{ address, guideId, mediaType: '', bitrate: 0 }], isIncompatible: false };
    return this.#deps.tune(item, signal).catch(() => undefined);
  }

  #tryAll(request: PlayRequest, order = request.streams): void {
    this.#tryNext(request, new Rounds(order), []);
  }

  /** `lost` are the streams given up on the way; they are reported once it is clear that the network works. */
  #tryNext(request: PlayRequest, rounds: Rounds, lost: readonly Lost[]): void {
    const { item } = request;
    const attempt = rounds.next();
    // If none plays, it may be the streams or the network: none is blamed.
    if (!attempt) return this.#tryLater(request, 'network');
    const { stream, maxWaitMs } = attempt;
    this.#set({ stream, status: 'loading', isSecondTry: lost.length > 0 });
    let said: readonly Lost[] = lost;
    const startAt = item.kind === 'topic' ? (this.#deps.positions.find(item.guideId) ?? 0) : 0;
    const hearing = new Hearing(this.#deps, {
      stream,
      maxWaitMs,
      startAt,
      isLive: item.kind === 'station',
    });
    this.#hearing = hearing;
    hearing.start({
      heard: () => {
        this.#set({ status: 'playing', reason: undefined });
        const others = said.filter((loss) => loss.stream !== stream);
        reportLost(others, item, this.#deps.report);
        said = [];
      },
      paused: () => this.#set({ status: 'paused' }),
      ended: (end) => this.#ended(request, rounds, said, hearing, end),
    });
  }

  #ended(
    request: PlayRequest,
    rounds: Rounds,
    lost: readonly Lost[],
    hearing: Hearing,
    end: HearingEnd,
  ): void {
    const { item, streams } = request;
    const { stream } = hearing;
    this.#hearing = undefined;
    if (end.by === 'touch') return this.#set({ status: 'paused', reason: 'touch' });
    if (end.by === 'finish') return this.#finish(item);
    if (item.kind === 'topic' && hearing.heardSeconds > 0) this.#keepPosition(item);
    if (hearing.heardSeconds >= GOOD_SECONDS) {
      request.retries.reset();
      request.good.add(stream.address);
      return this.#tryAll(request, [stream, ...streams.filter((other) => other !== stream)]);
    }
    rounds.lost(end.by);
    const blamed = this.#isNetworkFault(request, stream, end.by) ? [] : [{ stream, failure: end.failure }];
    this.#tryNext(request, rounds, [...lost, ...blamed]);
  }

  /**
   * Whether the listener's network is the likelier cause: it is down, the stream played well a moment ago, or it was
   * silent after a round in which all were. The next may only play because the network came back meanwhile.
   */
  #isNetworkFault({ good }: PlayRequest, { address }: PlayerStream, loss: Loss): boolean {
    if (!this.#deps.isOnline() || good.has(address)) return true;
    return loss === 'silence' && this.#state.reason !== undefined;
  }

  #tryLater(request: PlayRequest, reason: Why): void {
    if (!request.retries.wait(() => void this.#tuneIn(request))) return this.#fail(reason);
    this.#set({ status: 'loading', stream: undefined, reason });
  }

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
    this.#set({ sleepsAt: undefined });
    if (item && (status === 'playing' || status === 'loading')) this.#pause(item);
  }

  #leave(): void {
    const { item } = this.#state;
    if (item) this.#keepPosition(item);
    this.#giveUp?.();
    this.#giveUp = undefined;
    this.#hearing?.leave();
    this.#hearing = undefined;
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

  #fail(reason: Why): void {
    this.#hearing = undefined;
    this.#set({ status: 'failed', stream: undefined, reason });
  }

  #set(change: Partial<PlayerState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** What a listener wants to play, until they choose something else. */
interface PlayRequest {
  item: PlayerItem;
  signal: AbortSignal;
  retries: Retries;
  /** From the directory's latest answer. */
  streams: readonly PlayerStream[];
  /** The addresses of those that played well. */
  good: Set<string>;
}
