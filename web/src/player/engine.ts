import { choosePlayable } from './choose-streams.ts';
import { Hearing, type HearingEnd } from './hearing.ts';
import { type Lost, tellOf } from './lost.ts';
import type { EngineNeeds, Tuned } from './needs.ts';
import { Retries } from './retries.ts';
import { type Loss, Rounds } from './rounds.ts';
import { type PlayerItem, type PlayerState, type PlayerStream, SILENCE, type Why } from './state.ts';

/** A stream that was heard this long was a good one: when it breaks off, all are tried anew. */
const GOOD_SECONDS = 10;
/** What is left of a topic that nobody comes back for. */
const NEARLY_OVER_SECONDS = 10;

/**
 * What plays and what happens next, without React and without the page: a station or a topic is tuned, its streams are
 * tried one after the other, and the first that is heard stays.
 */
export class Engine {
  #state: PlayerState = SILENCE;
  #giveUp: (() => void) | undefined;
  #hearing: Hearing | undefined;
  #stopSleep: (() => void) | undefined;
  readonly #needs: EngineNeeds;
  readonly #listeners = new Set<() => void>();

  constructor(needs: EngineNeeds, volume = 1) {
    this.#needs = needs;
    this.#state = { ...SILENCE, volume };
    needs.sound.volume = volume;
    needs.sound.addEventListener('timeupdate', () => this.#moved());
    needs.sound.addEventListener('durationchange', () => this.#moved());
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
    const retries = new Retries(this.#needs);
    this.#giveUp = () => {
      ending.abort();
      retries.stop();
    };
    void this.#tuneIn({ item, signal: ending.signal, retries, streams: [], good: new Set() });
  };

  toggle = (): void => {
    const { item, status } = this.#state;
    if (!item) return;
    if (status === 'playing' || status === 'loading') this.#pause(item);
    else if (this.#hearing && item.kind === 'topic') this.#hearing.resume();
    else this.play(item);
  };

  /** Ends it and takes it off the player. */
  stop = (): void => {
    this.#leave();
    this.sleepIn(0);
    const { volume, isMuted } = this.#state;
    this.#set({ ...SILENCE, volume, isMuted });
  };

  setVolume = (volume: number): void => {
    const { sound } = this.#needs;
    sound.volume = Math.min(1, Math.max(0, volume));
    sound.muted = false;
    this.#set({ volume: sound.volume, isMuted: false });
  };

  setMuted = (isMuted: boolean): void => {
    this.#needs.sound.muted = isMuted;
    this.#set({ isMuted });
  };

  /** Of a topic, to a second of it; a station has nowhere to go. */
  seek = (seconds: number): void => {
    const { item, duration } = this.#state;
    if (item?.kind !== 'topic' || !this.#hearing) return;
    this.#needs.sound.currentTime = Math.min(Math.max(0, seconds), duration ?? seconds);
    this.#moved();
  };

  /** Pauses after so many minutes; 0 forgets about it. */
  sleepIn = (minutes: number): void => {
    this.#stopSleep?.();
    this.#stopSleep = undefined;
    this.#set({ sleepsAt: minutes > 0 ? this.#needs.now() + minutes * 60_000 : undefined });
    if (minutes > 0) this.#stopSleep = this.#needs.after(minutes * 60_000, () => this.#fallAsleep());
  };

  /** Before the page goes: keeps to the second where a topic is left. */
  keepPlace = (): void => {
    if (this.#state.item) this.#keepPosition(this.#state.item);
  };

  /** When the directory does not answer again, the streams are those it named before. */
  async #tuneIn(wish: Wish): Promise<void> {
    const { item, signal, streams: last } = wish;
    const tuned = await this.#tuned(item, signal);
    if (signal.aborted) return;
    if (!tuned) return last.length > 0 ? this.#tryAll(wish) : this.#tryLater(wish, 'directory');
    const { streams, reason } = choosePlayable(tuned.streams, {
      isSecurePage: this.#needs.isSecurePage,
      canPlayType: (type) => this.#needs.sound.canPlayType(type),
    });
    if (reason) return this.#fail(tuned.isIncompatible ? 'format' : reason);
    this.#tryAll({ ...wish, streams });
  }

  async #tuned(item: PlayerItem, signal: AbortSignal): Promise<Tuned | undefined> {
    const { address, guideId } = item;
    if (address !== undefined)
      return { streams: [{ address, guideId, mediaType: '', bitrate: 0 }], isIncompatible: false };
    return this.#needs.tune(item, signal).catch(() => undefined);
  }

  #tryAll(wish: Wish, order = wish.streams): void {
    this.#tryNext(wish, new Rounds(order), []);
  }

  /** `lost` are the streams given up on the way; they are told of as soon as it is clear that the line is good. */
  #tryNext(wish: Wish, rounds: Rounds, lost: readonly Lost[]): void {
    const { item } = wish;
    const attempt = rounds.next();
    // With none that plays, nobody knows whether it is the streams or the line: none is blamed.
    if (!attempt) return this.#tryLater(wish, 'network');
    const { stream, patienceMs } = attempt;
    this.#set({ stream, status: 'loading', isSecondTry: lost.length > 0 });
    let told: readonly Lost[] = lost;
    const startAt = item.kind === 'topic' ? (this.#needs.positions.find(item.guideId) ?? 0) : 0;
    const hearing = new Hearing(this.#needs, {
      stream,
      patienceMs,
      startAt,
      isLive: item.kind === 'station',
    });
    this.#hearing = hearing;
    hearing.start({
      heard: () => {
        this.#set({ status: 'playing', reason: undefined });
        const others = told.filter((loss) => loss.stream !== stream);
        tellOf(others, item, this.#needs.report);
        told = [];
      },
      paused: () => this.#set({ status: 'paused' }),
      ended: (end) => this.#ended(wish, rounds, told, hearing, end),
    });
  }

  #ended(wish: Wish, rounds: Rounds, lost: readonly Lost[], hearing: Hearing, end: HearingEnd): void {
    const { item, streams } = wish;
    const { stream } = hearing;
    this.#hearing = undefined;
    if (end.by === 'touch') return this.#set({ status: 'paused', reason: 'touch' });
    if (end.by === 'finish') return this.#finish(item);
    if (item.kind === 'topic' && hearing.heardSeconds > 0) this.#keepPosition(item);
    if (hearing.heardSeconds >= GOOD_SECONDS) {
      wish.retries.reset();
      wish.good.add(stream.address);
      return this.#tryAll(wish, [stream, ...streams.filter((other) => other !== stream)]);
    }
    rounds.lost(end.by);
    const blamed = this.#isTheLine(wish, stream, end.by) ? [] : [{ stream, failure: end.failure }];
    this.#tryNext(wish, rounds, [...lost, ...blamed]);
  }

  /**
   * Whether the listener's line is the likelier cause: there is none, the stream was heard well a moment ago, or it kept
   * silent after a round in which all did. The next may only be heard because the line came back meanwhile.
   */
  #isTheLine({ good }: Wish, { address }: PlayerStream, loss: Loss): boolean {
    if (!this.#needs.isOnline() || good.has(address)) return true;
    return loss === 'silence' && this.#state.reason !== undefined;
  }

  #tryLater(wish: Wish, reason: Why): void {
    if (!wish.retries.wait(() => void this.#tuneIn(wish))) return this.#fail(reason);
    this.#set({ status: 'loading', stream: undefined, reason });
  }

  #finish(item: PlayerItem): void {
    this.#needs.positions.forget(item.guideId);
    this.#set({ status: 'paused', position: 0 });
  }

  /** A station goes on without us: it is left, and tuned anew afterwards. A topic waits where it is. */
  #pause(item: PlayerItem): void {
    if (item.kind === 'topic' && this.#state.status === 'playing') {
      this.#hearing?.pause();
      // Where the sound stands and not where it was last told of: nothing new is to be said of it later.
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
    if (isOver) this.#needs.positions.forget(guideId);
    else this.#needs.positions.set(guideId, position);
  }

  #moved(): void {
    if (!this.#hearing) return;
    const { currentTime, duration } = this.#needs.sound;
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

/** What a listener wants to hear, until they want something else. */
interface Wish {
  item: PlayerItem;
  signal: AbortSignal;
  retries: Retries;
  /** That the directory named last. */
  streams: readonly PlayerStream[];
  /** The addresses of those that were heard well. */
  good: Set<string>;
}
