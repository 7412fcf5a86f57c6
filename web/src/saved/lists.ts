import {
  type FinishedEpisode,
  type KnownShow,
  MAX_FINISHED,
  MAX_QUEUE,
  MAX_SHOWS,
  type QueuedEpisode,
  readFinished,
  readQueue,
  readShows,
} from './podcast-lists.ts';

/** A station or show that was saved without an account, as much of it as is shown without a network. */
export interface SavedPreset {
  guideId: string;
  name: string;
  subtext: string;
}

/** Something that was heard. */
export interface PlayedItem {
  kind: 'station' | 'topic';
  guideId: string;
  name: string;
  subtext: string;
  /** When it was last heard, in milliseconds of `Date.now()`. */
  at: number;
}

/** A song that the listener liked, and where it was heard. */
export interface LikedSong {
  title: string;
  artist: string;
  guideId: string;
  station: string;
  at: number;
}

/** What this browser saves for a listener, with or without an account. */
export interface SavedLists {
  readonly presets: readonly SavedPreset[];
  /** The latest first. */
  readonly played: readonly PlayedItem[];
  /** The latest first. */
  readonly songs: readonly LikedSong[];
  /** In the order in which they are played. */
  readonly queue: readonly QueuedEpisode[];
  readonly shows: readonly KnownShow[];
  /** The latest first. */
  readonly finished: readonly FinishedEpisode[];
}

export type ListName = keyof SavedLists;

/** As many presets as an account has room for, so that all of them fit into a new one. */
export const MAX_SAVED: Readonly<Record<ListName, number>> = {
  presets: 500,
  played: 30,
  songs: 500,
  queue: MAX_QUEUE,
  shows: MAX_SHOWS,
  finished: MAX_FINISHED,
};

export const NO_LISTS: SavedLists = {
  presets: [],
  played: [],
  songs: [],
  queue: [],
  shows: [],
  finished: [],
};

/** At the end, as on a radio; unchanged when it is there already, or when there is no room. */
export const withPreset = (list: readonly SavedPreset[], preset: SavedPreset): readonly SavedPreset[] =>
  list.length >= MAX_SAVED.presets || list.some(({ guideId }) => guideId === preset.guideId)
    ? list
    : [...list, preset];

/** In another place of the list, or again after it was removed. */
export const withPresetAt = (
  list: readonly SavedPreset[],
  preset: SavedPreset,
  at: number,
): readonly SavedPreset[] =>
  without(list, [preset.guideId]).toSpliced(at, 0, preset).slice(0, MAX_SAVED.presets);

export const without = <T extends { guideId: string }>(
  list: readonly T[],
  guideIds: readonly string[],
): readonly T[] => list.filter(({ guideId }) => !guideIds.includes(guideId));

/** In the order of these ids; those that another tab added meanwhile stay at the end. */
export function inOrder<T extends { guideId: string }>(
  list: readonly T[],
  guideIds: readonly string[],
): readonly T[] {
  const byId = new Map(list.map((item) => [item.guideId, item]));
  return [...guideIds.flatMap((id) => byId.get(id) ?? []), ...without(list, guideIds)];
}

/** Each once, the latest first; the oldest goes. */
export const withPlayed = (list: readonly PlayedItem[], item: PlayedItem): readonly PlayedItem[] =>
  [item, ...without(list, [item.guideId])].slice(0, MAX_SAVED.played);

export const isSameSong = (one: Pick<LikedSong, 'title' | 'artist'>, other: typeof one): boolean =>
  one.title === other.title && one.artist === other.artist;

export const withSong = (list: readonly LikedSong[], song: LikedSong): readonly LikedSong[] =>
  [song, ...withoutSong(list, song)].slice(0, MAX_SAVED.songs);

export const withoutSong = (
  list: readonly LikedSong[],
  song: Pick<LikedSong, 'title' | 'artist'>,
): readonly LikedSong[] => list.filter((each) => !isSameSong(each, song));

/** What another version of the site may have written: whatever is not as expected is left out. */
export const readLists = (stored: Readonly<Record<string, unknown>>): SavedLists => ({
  presets: entriesOf(stored['presets'], MAX_SAVED.presets).flatMap(({ guideId, name, subtext }) =>
    isItem(guideId, /^[sp]\d+$/) && isText(name) ? [{ guideId, name, subtext: textOf(subtext) }] : [],
  ),
  played: entriesOf(stored['played'], MAX_SAVED.played).flatMap(({ kind, guideId, name, subtext, at }) =>
    isItem(guideId, /^[st]\d+$/) && isText(name)
      ? [
          {
            kind: kind === 'topic' ? 'topic' : 'station',
            guideId,
            name,
            subtext: textOf(subtext),
            at: Number(at) || 0,
          },
        ]
      : [],
  ),
  songs: entriesOf(stored['songs'], MAX_SAVED.songs).flatMap(({ title, artist, guideId, station, at }) =>
    isText(title)
      ? [
          {
            title,
            artist: textOf(artist),
            guideId: textOf(guideId),
            station: textOf(station),
            at: Number(at) || 0,
          },
        ]
      : [],
  ),
  queue: readQueue(entriesOf(stored['queue'], MAX_SAVED.queue)),
  shows: readShows(entriesOf(stored['shows'], MAX_SAVED.shows)),
  finished: readFinished(entriesOf(stored['finished'], MAX_SAVED.finished)),
});

const entriesOf = (value: unknown, max: number): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord).slice(0, max) : [];
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const isItem = (value: unknown, form: RegExp): value is string => isText(value) && form.test(value);
