import type { Sound, SoundEvent } from '../src/player/engine/deps.ts';

/** How an address behaves when the browser opens it. */
export type Behaviour =
  | 'plays'
  /** Fails at once, as a refused connection does. */
  | 'fails'
  /** Opens, and never brings a sound. */
  | 'hangs'
  /** The browser wants a click first. */
  | 'wants a click';

/** The browser's audio element as far as the engine sees it; time goes on when the clock of the test does. */
export class FakeSound implements Sound {
  currentTime = 0;
  duration = Number.NaN;
  volume = 1;
  muted = false;
  paused = true;
  ended = false;
  error: Sound['error'] = null;
  isStuck = false;
  /** Every address that was opened, in order. */
  readonly opened: string[] = [];
  readonly unplayable = new Set<string>();
  readonly behaviours = new Map<string, Behaviour>();
  readonly #target = new EventTarget();
  #src = '';

  get src(): string {
    return this.#src;
  }

  set src(address: string) {
    this.#src = address;
    this.currentTime = 0;
    this.ended = false;
    this.error = null;
    this.opened.push(address);
  }

  async play(): Promise<void> {
    const behaviour = this.behaviours.get(this.#src) ?? 'plays';
    if (behaviour === 'wants a click') throw new DOMException('', 'NotAllowedError');
    this.paused = false;
    if (behaviour === 'fails') {
      this.error = { code: 4, message: 'MEDIA_ELEMENT_ERROR' };
      this.paused = true;
      this.tell('error');
      throw new DOMException('', 'NotSupportedError');
    }
    if (behaviour === 'plays') this.tell('playing');
  }

  pause(): void {
    this.paused = true;
  }

  load(): void {
    this.currentTime = 0;
  }

  removeAttribute(): void {
    this.#src = '';
  }

  canPlayType(type: string): string {
    return this.unplayable.has(type) ? '' : 'maybe';
  }

  addEventListener(type: SoundEvent, listener: () => void, options?: { signal: AbortSignal }): void {
    this.#target.addEventListener(type, listener, options);
  }

  tell(type: SoundEvent): void {
    this.#target.dispatchEvent(new Event(type));
  }

  /** A moment of listening. */
  elapse(ms: number): void {
    const isHeard = !this.paused && !this.isStuck && (this.behaviours.get(this.#src) ?? 'plays') === 'plays';
    if (!isHeard || this.#src === '') return;
    this.currentTime += ms / 1000;
    this.tell('timeupdate');
  }
}
