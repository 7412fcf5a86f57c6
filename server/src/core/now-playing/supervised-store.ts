import type { SupervisorLink } from '../../net/processes/supervisor-link.ts';
import type { Song, StationSong } from './song.ts';
import type { DueStation, News, PlayingStore, StationUpdate } from './store.ts';

const ASK = 'songs wanted';
const CLAIM = 'songs due';
const PUBLISH = 'songs heard';
const READ = 'songs of stations';
const RECENT = 'songs lately';
/** What the first process tells all others. */
export const SONG_NEWS = 'song news';

/* oxlint-disable no-unsafe-type-assertion -- between processes of one program */

/** The store of several processes without Redis: the first one keeps it, in memory. */
export const answersFromStore = (store: PlayingStore) => ({
  [ASK]: (ids: unknown) => store.ask(ids as number[]),
  [CLAIM]: (what: unknown) => store.claimDue(...(what as [number, number])),
  [PUBLISH]: (updates: unknown) => store.publish(updates as StationUpdate[]),
  [READ]: async (ids: unknown) => [...(await store.songs(ids as number[]))],
  [RECENT]: (most: unknown) => store.listRecent(most as number),
});

/** The same store as another process sees it. */
export class SupervisedStore implements PlayingStore {
  readonly kind = 'memory';
  readonly #link: SupervisorLink;
  readonly #listeners = new Set<(news: readonly News[]) => void>();

  constructor(link: SupervisorLink) {
    this.#link = link;
    link.onTold(SONG_NEWS, (news) => {
      for (const listener of this.#listeners) listener(news as News[]);
    });
  }

  async ask(stationIds: readonly number[]): Promise<void> {
    await this.#link.ask(ASK, stationIds);
  }

  async claimDue(most: number, leaseMs: number): Promise<readonly DueStation[]> {
    return (await this.#link.ask(CLAIM, [most, leaseMs])) as DueStation[];
  }

  async publish(updates: readonly StationUpdate[]): Promise<void> {
    await this.#link.ask(PUBLISH, updates);
  }

  async songs(stationIds: readonly number[]): Promise<ReadonlyMap<number, Song>> {
    return new Map((await this.#link.ask(READ, stationIds)) as [number, Song][]);
  }

  async listRecent(most: number): Promise<readonly StationSong[]> {
    return (await this.#link.ask(RECENT, most)) as StationSong[];
  }

  subscribe(listener: (news: readonly News[]) => void, onBegin?: () => void): Disposable {
    this.#listeners.add(listener);
    onBegin?.();
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listeners.clear();
  }
}
