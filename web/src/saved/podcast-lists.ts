/** An episode in the queue, as much of it as is shown and played without asking again. */
export interface QueuedEpisode {
  guideId: string;
  name: string;
  /** '' where the list it came from did not say. */
  showId: string;
  show: string;
  seconds: number | undefined;
}

/** What this browser remembers about a show: what was seen of it, and how fast it is played. */
export interface KnownShow {
  guideId: string;
  /** The number of the latest episode that was there when the listener last looked; undefined before that. */
  seen: number | undefined;
  speed: number | undefined;
}

/** An episode that was heard to its end. */
export interface FinishedEpisode {
  guideId: string;
  at: number;
}

export const MAX_QUEUE = 200;
/** More than an account has room for, since a speed is kept for shows that are not subscribed to, too. */
export const MAX_SHOWS = 1000;
export const MAX_FINISHED = 2000;

export const SPEEDS: readonly number[] = [0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.5, 1.75, 2];

type Queue = readonly QueuedEpisode[];
const isIn = (queue: Queue, { guideId }: { guideId: string }): boolean =>
  queue.some((each) => each.guideId === guideId);
const lessOne = (queue: Queue, { guideId }: { guideId: string }): Queue =>
  queue.filter((each) => each.guideId !== guideId);

/** At the end; unchanged when it is there already, or when there is no room. */
export const withLast = (queue: Queue, episode: QueuedEpisode): Queue =>
  queue.length >= MAX_QUEUE || isIn(queue, episode) ? queue : [...queue, episode];

/** Right after the one that plays, if that is from the queue, else first; moved there when it is in the queue already. */
export function withNext(queue: Queue, episode: QueuedEpisode, playing: string | undefined): Queue {
  if (episode.guideId === playing && isIn(queue, episode)) return queue;
  if (queue.length >= MAX_QUEUE && !isIn(queue, episode)) return queue;
  const others = lessOne(queue, episode);
  const at = others.findIndex(({ guideId }) => guideId === playing) + 1;
  return others.toSpliced(at, 0, episode);
}

/** What is played moves to the front, so that the queue is always what plays and what comes after it. */
export function withFirst(queue: Queue, guideId: string): Queue {
  const episode = queue.find((each) => each.guideId === guideId);
  return episode === undefined || queue[0] === episode ? queue : [episode, ...lessOne(queue, episode)];
}

/** After an episode has ended: what is left, and what plays next. */
export function afterEnd(queue: Queue, guideId: string): { next: QueuedEpisode | undefined; queue: Queue } {
  const left = lessOne(queue, { guideId });
  return { next: left[0], queue: left };
}

type Shows = readonly KnownShow[];

/** The latest change first; the show that was not touched for longest goes. */
function withShow(shows: Shows, guideId: string, change: Partial<KnownShow>): Shows {
  const known = shows.find((show) => show.guideId === guideId);
  const next = { guideId, seen: undefined, speed: undefined, ...known, ...change };
  return [next, ...shows.filter((show) => show !== known)].slice(0, MAX_SHOWS);
}

export const speedOf = (shows: Shows, showId: string | undefined): number =>
  shows.find(({ guideId }) => guideId === showId)?.speed ?? 1;

export const withSpeed = (shows: Shows, showId: string, speed: number): Shows =>
  withShow(shows, showId, { speed });

/** Topics of a show are numbered in the order in which they came. */
const numberIn = (guideId: string): number => Number(guideId.slice(1));

type OfShow = Pick<QueuedEpisode, 'guideId' | 'showId'>;

/** Everything of these shows that there is by now was seen; unchanged when that is known. */
export function withSeen(shows: Shows, episodes: readonly OfShow[], showIds: readonly string[]): Shows {
  const latest = new Map(showIds.map((id) => [id, 0]));
  for (const { guideId, showId } of episodes) {
    const known = latest.get(showId);
    if (known !== undefined) latest.set(showId, Math.max(known, numberIn(guideId)));
  }
  const seenOf = new Map(shows.map(({ guideId, seen }) => [guideId, seen]));
  const changed = [...latest].filter(([id, number]) => number > (seenOf.get(id) ?? -1));
  return changed.reduce((next, [id, seen]) => withShow(next, id, { seen }), shows);
}

/** Shows that are subscribed to, and of which nothing was seen yet: what they have by now is not new. */
export const unseenShows = (shows: Shows, showIds: readonly string[]): readonly string[] => {
  const known = new Set(shows.filter(({ seen }) => seen !== undefined).map(({ guideId }) => guideId));
  return showIds.filter((id) => !known.has(id));
};

/** What came since the listener last looked, unless it was played meanwhile. */
export function newSince<Episode extends OfShow>(
  episodes: readonly Episode[],
  shows: Shows,
  isPlayed: (guideId: string) => boolean,
): readonly Episode[] {
  const seen = new Map(shows.map((show) => [show.guideId, show.seen]));
  return episodes.filter(
    ({ guideId, showId }) => numberIn(guideId) > (seen.get(showId) ?? Infinity) && !isPlayed(guideId),
  );
}

/** The latest first. */
export const withFinished = (
  list: readonly FinishedEpisode[],
  episode: FinishedEpisode,
): readonly FinishedEpisode[] =>
  [episode, ...list.filter(({ guideId }) => guideId !== episode.guideId)].slice(0, MAX_FINISHED);

type Entries = readonly Readonly<Record<string, unknown>>[];
const isId = (value: unknown, form: RegExp): value is string => typeof value === 'string' && form.test(value);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : undefined;

export const readQueue = (entries: Entries): Queue =>
  entries.flatMap(({ guideId, name, showId, show, seconds }) =>
    isId(guideId, /^t\d+$/) && textOf(name) !== ''
      ? [
          {
            guideId,
            name: textOf(name),
            showId: isId(showId, /^p\d+$/) ? showId : '',
            show: textOf(show),
            seconds: numberOf(seconds),
          },
        ]
      : [],
  );

export const readShows = (entries: Entries): Shows =>
  entries.flatMap(({ guideId, seen, speed }) => {
    if (!isId(guideId, /^p\d+$/)) return [];
    return [{ guideId, seen: numberOf(seen), speed: SPEEDS.find((each) => each === speed) }];
  });

export const readFinished = (entries: Entries): readonly FinishedEpisode[] =>
  entries.flatMap(({ guideId, at }) => (isId(guideId, /^t\d+$/) ? [{ guideId, at: numberOf(at) ?? 0 }] : []));
