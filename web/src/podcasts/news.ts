import { type QueuedEpisode, unseenShows, withSeen } from '../saved/podcast-lists.ts';
import { saved } from '../saved/saved.ts';
import { askSite } from '../session/calls/api.ts';

export interface Episode extends QueuedEpisode {
  /** An instant, as text. */
  publishedAt: string;
}

interface NewsState {
  /** Of all subscriptions, the latest first; undefined until they are known. */
  readonly episodes: readonly Episode[] | undefined;
  readonly error: unknown;
}

/** As many as one call takes. */
const SHOWS_PER_CALL = 100;
/** Feeds are read every quarter of an hour at most. */
const FRESH_MS = 10 * 60_000;
const LOOK_AGAIN_MS = 5000;

const listeners = new Set<() => void>();
let state: NewsState = { episodes: undefined, error: undefined };
let followed: readonly string[] = [];
let askedAt = -Infinity;
let asking: AbortController | undefined;

function set(next: NewsState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** The latest episodes of what is subscribed to, as this page last heard of them. */
export const news = {
  get state(): NewsState {
    return state;
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Asks if these are other shows than before; else only if the last answer is no longer fresh. */
  follow(showIds: readonly string[]): void {
    const isSame = showIds.join() === followed.join();
    followed = showIds;
    // Of an account that is signed out, or a show that was removed, nothing is shown any longer.
    const { episodes } = state;
    if (!isSame && episodes)
      set({ ...state, episodes: episodes.filter(({ showId }) => showIds.includes(showId)) });
    if (!isSame || performance.now() - askedAt > FRESH_MS) news.ask();
  },
  /** The same for who looks at the list itself, unless an answer is under way or a moment old. */
  look(showIds: readonly string[]): void {
    const before = askedAt;
    news.follow(showIds);
    if (askedAt === before && performance.now() - askedAt > LOOK_AGAIN_MS) news.ask();
  },
  ask(): void {
    asking?.abort();
    asking = new AbortController();
    askedAt = performance.now();
    void answer(followed, asking.signal);
  },
};

async function answer(showIds: readonly string[], signal: AbortSignal): Promise<void> {
  try {
    const calls = Array.from({ length: Math.ceil(showIds.length / SHOWS_PER_CALL) }, (_, at) =>
      askEpisodes(showIds.slice(at * SHOWS_PER_CALL, (at + 1) * SHOWS_PER_CALL), signal),
    );
    const episodes = (await Promise.all(calls)).flat().toSorted(latestFirst);
    if (signal.aborted) return;
    // Before anybody counts: what a show had when it was subscribed to is not new.
    if (unseenShows(saved.state.shows, showIds).length > 0)
      await saved.change('shows', (shows) => withSeen(shows, episodes, unseenShows(shows, showIds)));
    if (!signal.aborted) set({ episodes, error: undefined });
  } catch (error) {
    if (!signal.aborted) set({ ...state, error });
  }
}

async function askEpisodes(showIds: readonly string[], signal: AbortSignal): Promise<readonly Episode[]> {
  const { episodes } = await askSite<{ episodes: (Omit<Episode, 'seconds'> & { seconds: number | null })[] }>(
    `episodes?shows=${showIds.join()}`,
    { signal },
  );
  return episodes.map((episode) => ({ ...episode, seconds: episode.seconds ?? undefined }));
}

const latestFirst = (one: Episode, other: Episode): number =>
  Date.parse(other.publishedAt) - Date.parse(one.publishedAt);
