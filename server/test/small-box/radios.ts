import { setTimeout as sleep } from 'node:timers/promises';
import { randomNumbers } from '../content/random-catalogue.ts';

export const PARTNER = 'smallbox';
/** Somebody reads a menu before pressing the next button. */
const [LEAST_PAUSE_MS, MOST_PAUSE_MS] = [500, 3500];
const DEPTH = 5;
const GIVE_UP_MS = 15_000;

const LINK = /<outline type="link"[^>]* URL="([^"]+)"/g;
const STATION = /<outline type="audio" text="([^"]+)"[^>]* guide_id="(s\d+)"/g;

/**
 * Radios in use: each goes down menus by the links it is given, plays a station, reads about it, saves it as a preset,
 * searches for its name, and begins again.
 */
export class Radios {
  readonly failures: string[] = [];
  readonly elapsedMs: number[] = [];
  readonly calls: Record<string, number> = {};
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** For as long as the work takes. */
  async during(count: number, work: () => Promise<void>): Promise<void> {
    const done = new AbortController();
    const radios = Array.from({ length: count }, (_item, index) => this.#live(index, done.signal));
    try {
      await work();
    } finally {
      done.abort();
      await Promise.all(radios);
    }
  }

  /** The time that so large a share of the calls stayed within. */
  percentile(share: number): number {
    const rising = Float64Array.from(this.elapsedMs).toSorted();
    return Math.round(rising[Math.ceil(rising.length * share) - 1] ?? Number.NaN);
  }

  async #live(index: number, signal: AbortSignal): Promise<void> {
    const random = randomNumbers(index + 1);
    const any = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
    const pause = (): Promise<void> =>
      sleep(LEAST_PAUSE_MS + random() * (MOST_PAUSE_MS - LEAST_PAUSE_MS), undefined, { signal }).catch(
        () => undefined,
      );
    const identity = `partnerId=${PARTNER}&serial=smallbox${index}`;
    const ask = async (what: string, pathOrUrl: string): Promise<string> => {
      await pause();
      return signal.aborted ? '' : this.#ask(what, new URL(pathOrUrl, this.#origin));
    };
    while (!signal.aborted) {
      let menu = await ask('menu', `/Browse.ashx?${identity}`);
      for (let level = 1; level < DEPTH; level += 1) {
        const link = any([...menu.matchAll(LINK)])?.[1];
        if (link !== undefined) menu = await ask('menu', link.replaceAll('&amp;', '&'));
      }
      const station = any([...menu.matchAll(STATION)]);
      const word = station?.[1]?.match(/\p{L}{3,}/u)?.[0] ?? 'radio';
      const found = await ask('search', `/Search.ashx?query=${encodeURIComponent(word)}&${identity}`);
      const id = station?.[2] ?? any([...found.matchAll(STATION)])?.[2];
      if (id === undefined) continue;
      await ask('tune', `/Tune.ashx?id=${id}&${identity}`);
      await ask('describe', `/Describe.ashx?id=${id}&${identity}`);
      await ask('preset', `/Preset.ashx?c=add&id=${id}&${identity}`);
      await ask('presets', `/Browse.ashx?c=presets&${identity}`);
    }
  }

  async #ask(what: string, url: URL): Promise<string> {
    const started = performance.now();
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(GIVE_UP_MS) });
      const text = await response.text();
      this.elapsedMs.push(performance.now() - started);
      this.calls[what] = (this.calls[what] ?? 0) + 1;
      const isWell = what === 'tune' ? !text.startsWith('#STATUS: 5') : text.includes('<status>200</status>');
      if (response.status === 200 && isWell) return text;
      this.failures.push(`${url.pathname}${url.search}: ${response.status} ${text.slice(0, 300)}`);
    } catch (error) {
      this.failures.push(`${url.pathname}${url.search}: ${String(error)}`);
    }
    return '';
  }
}
