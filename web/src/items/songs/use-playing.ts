import { startTransition, useEffect, useState } from 'react';
import { followPlaying } from './follow-playing.ts';
import type { Song } from './song.ts';

/** The most stations that the server reports in one stream of events. */
const MAX_STATIONS = 20;
export type Songs = ReadonlyMap<string, Song | undefined>;
const NOTHING: Songs = new Map();

/** The songs of these stations, as they change: pushed by the server, or polled where a proxy blocks events. */
export function usePlaying(ids: readonly string[]): Songs {
  const [songs, setSongs] = useState(NOTHING);
  const key = ids.slice(0, MAX_STATIONS).join(',');
  useEffect(() => {
    setSongs(NOTHING);
    if (key === '') return undefined;
    return followPlaying(key, (id, song) =>
      startTransition(() => setSongs((known) => new Map(known).set(id, song))),
    );
  }, [key]);
  return songs;
}
