import { choosePlayable } from './choose-streams.ts';
import type { EngineDeps, Failure, Tuned } from './deps.ts';
import { Hearing, type HearingEnd } from './hearing.ts';
import { Outage } from './outage.ts';
import { Retries } from './retries.ts';
import { type Loss, Rounds } from './rounds.ts';
import type { PlayerItem, PlayerState, PlayerStream, Why } from './state.ts';

/** A stream that played this long was a good one: when it breaks off, all are tried again. */
const GOOD_SECONDS = 10;
/** How long the directory may take where it is known already what to play. */
const TUNE_AGAIN_MS = 3000;

/** A stream that was given up. */
interface Lost {
  stream: PlayerStream;
  failure: Failure;
}

interface Callbacks {
  set: (change: Partial<PlayerState>) => void;
  /** A topic reached its end. */
  finished: () => void;
  /** A topic broke off, and goes on from where it was. */
  brokeOff: () => void;
}

/**
 * What a listener wants to hear, from the press of play until they choose something else: asks where it is heard, tries
 * its streams one after the other, stays with the first that plays, and gets it back when it is lost.
 */
export class Listening {
  readonly #deps: EngineDeps;
  readonly #item: PlayerItem;
  readonly #callbacks: Callbacks;
  readonly #ending = new AbortController();
  readonly #retries: Retries;
  readonly #outage: Outage;
  /** Counts tries: an answer for an earlier one comes too late. */
  #round = 0;
  #triedAt = 0;
  /** From the directory's latest answer. */
  #streams: readonly PlayerStream[] = [];
  /** The addresses of those that played well. */
  readonly #good = new Set<string>();
  /** Why the last round of tries failed. */
  #reason: Why | undefined;
  #hearing: Hearing | undefined;

  constructor(deps: EngineDeps, item: PlayerItem, callbacks: Callbacks) {
    this.#deps = deps;
    this.#item = item;
    this.#callbacks = callbacks;
    this.#retries = new Retries(deps);
    this.#outage = new Outage(deps, {
      changed: () => callbacks.set({ isOffline: this.#outage.isDown }),
      back: () => this.#startOver(),
    });
  }

  /** The stream that is opened or played just now. */
  get hearing(): Hearing | undefined {
    return this.#hearing;
  }

  start(): void {
    void this.#tuneIn();
  }

  leave(): void {
    this.#ending.abort();
    this.#retries.stop();
    this.#outage.stop();
    this.#hearing?.leave();
    this.#hearing = undefined;
  }

  /** If the directory does not answer a second time, the streams it named before are used. */
  async #tuneIn(): Promise<void> {
    const round = ++this.#round;
    const isKnown = this.#streams.length > 0;
    this.#triedAt = this.#deps.now();
    const tuned = await this.#tuned(isKnown ? TUNE_AGAIN_MS : undefined);
    if (this.#ending.signal.aborted || round !== this.#round) return;
    if (!tuned) return isKnown ? this.#tryAll() : this.#tryLater('directory');
    const { streams, reason } = choosePlayable(tuned.streams, {
      isSecurePage: this.#deps.isSecurePage,
      canPlayType: (type) => this.#deps.sound.canPlayType(type),
    });
    if (reason) return this.#fail(tuned.isIncompatible ? 'format' : reason);
    this.#streams = streams;
    this.#tryAll();
  }

  async #tuned(maxWaitMs: number | undefined): Promise<Tuned | undefined> {
    const { address, guideId } = this.#item;
    if (address !== undefined)
      return { streams: [{ address, guideId, mediaType: '', bitrate: 0 }], isIncompatible: false };
    const late = new AbortController();
    const stop = maxWaitMs === undefined ? undefined : this.#deps.after(maxWaitMs, () => late.abort());
    try {
      return await this.#deps.tune(this.#item, AbortSignal.any([this.#ending.signal, late.signal]));
    } catch {
      return undefined;
    } finally {
      stop?.();
    }
  }

  /** The network is back: whatever was being tried is stuck in a connection from before. */
  #startOver(): void {
    this.#retries.stop();
    this.#retries.reset();
    this.#hearing?.leave();
    this.#hearing = undefined;
    void this.#tuneIn();
  }

  /** What played well is tried before the others. */
  #tryAll(): void {
    const isGood = ({ address }: PlayerStream): boolean => this.#good.has(address);
    const others = this.#streams.filter((stream) => !isGood(stream));
    this.#tryNext(new Rounds([...this.#streams.filter(isGood), ...others], this.#good), []);
  }

  /** `lost` are the streams given up on the way; they are reported once it is clear that the network works. */
  #tryNext(rounds: Rounds, lost: readonly Lost[]): void {
    const { kind, guideId } = this.#item;
    const attempt = rounds.next();
    // If none plays, it may be the streams or the network: none is blamed.
    if (!attempt) return this.#tryLater('network');
    const { stream, maxWaitMs } = attempt;
    const wasDown = this.#outage.isDown;
    this.#callbacks.set({ stream, status: 'loading', isSecondTry: lost.length > 0 });
    let said: readonly Lost[] = lost;
    const startAt = kind === 'topic' ? (this.#deps.positions.find(guideId) ?? 0) : 0;
    const hearing = new Hearing(this.#deps, { stream, maxWaitMs, startAt, isLive: kind === 'station' });
    this.#hearing = hearing;
    hearing.start({
      heard: () => {
        this.#reason = undefined;
        this.#outage.stop();
        this.#callbacks.set({ status: 'playing', reason: undefined, isOffline: false });
        const others = said.filter((loss) => loss.stream !== stream);
        reportLost(others, this.#item, this.#deps.report);
        said = [];
      },
      paused: () => this.#callbacks.set({ status: 'paused' }),
      ended: (end) => this.#ended(hearing, end, { rounds, said, wasDown }),
    });
  }

  #ended(
    { stream, heardSeconds }: Hearing,
    end: HearingEnd,
    { rounds, said, wasDown }: { rounds: Rounds; said: readonly Lost[]; wasDown: boolean },
  ): void {
    this.#hearing = undefined;
    if (end.by === 'touch') return this.#callbacks.set({ status: 'paused', reason: 'touch' });
    if (end.by === 'finish') return this.#callbacks.finished();
    if (heardSeconds > 0) this.#callbacks.brokeOff();
    // It is opened anew when the listener goes on.
    if (end.by === 'paused') return this.#callbacks.set({ status: 'paused' });
    if (heardSeconds >= GOOD_SECONDS) return this.#missed(stream);
    rounds.lost(end.by);
    const isBlamed = !wasDown && !this.#isNetworkFault(stream, end.by);
    this.#tryNext(rounds, isBlamed ? [...said, { stream, failure: end.failure }] : said);
  }

  /** What was heard well is gone. */
  #missed({ address }: PlayerStream): void {
    this.#good.add(address);
    this.#callbacks.set({ wasHeard: true });
    this.#retries.reset();
    this.#outage.start();
    this.#triedAt = this.#deps.now();
    this.#tryAll();
  }

  /**
   * Whether the listener's network is the likelier cause: it is down, the stream played well before, or it was silent
   * after a round in which all were. Once something played well and broke off, none of the others is blamed before our
   * own server has answered: the next may only play because the network came back meanwhile.
   */
  #isNetworkFault({ address }: PlayerStream, loss: Loss): boolean {
    if (this.#outage.isDown || this.#good.has(address)) return true;
    if (this.#good.size > 0 && !this.#outage.isConfirmedUp) return true;
    return loss === 'silence' && this.#reason !== undefined;
  }

  #tryLater(reason: Why): void {
    this.#outage.start();
    const { isDown } = this.#outage;
    const trouble = { wasHeard: this.#good.size > 0, isDown, triedAt: this.#triedAt };
    if (!this.#retries.wait(() => void this.#tuneIn(), trouble)) return this.#fail(reason);
    this.#reason = reason;
    this.#callbacks.set({ status: 'loading', stream: undefined, reason, isOffline: isDown });
  }

  #fail(reason: Why): void {
    this.leave();
    this.#callbacks.set({ status: 'failed', stream: undefined, reason });
  }
}

/** Reports each once, however often it was tried. */
function reportLost(lost: readonly Lost[], item: PlayerItem, report: EngineDeps['report']): void {
  const said = new Set<PlayerStream>();
  for (const { stream, failure } of lost) {
    if (!said.has(stream)) report(item, stream, failure);
    said.add(stream);
  }
}
