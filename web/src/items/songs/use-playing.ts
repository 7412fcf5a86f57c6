import { startTransition, useEffect, useState } from 'react';
import { followPlaying } from './follow-playing.ts';
import type { Song } from './song.ts';

/** The most stations that the server reports in one stream of events. */
const MAX_STATIONS = 20;
export type Songs = ReadonlyMap<string, Song | undefined>;
const NOTHING: Songs = new Map();

/** The songs of these stations, as they change while the page is seen: pushed by the server, or polled where a proxy blocks events. */
export function usePlaying(ids: readonly string[]): Songs {
  const [songs, setSongs] = useState(NOTHING);
  const key = ids.slice(0, MAX_STATIONS).join(',');
  useEffect(() => {
    setSongs(NOTHING);
    if (key === '') return undefined;
    return whileSeen(() =>
      followPlaying(key, (id, song) =>
        startTransition(() => setSongs((known) => new Map(known).set(id, song))),
      ),
    );
  }, [key]);
  return songs;
}

/** A browser has six connections to a server that speaks HTTP/1.1, for all its tabs: those nobody looks at take none. */
function whileSeen(start: () => () => void): () => void {
  let stop: (() => void) | undefined;
  const look = (): void => {
    if (!document.hidden) stop ??= start();
    else {
      stop?.();
      stop = undefined;
    }
  };
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    document.removeEventListener('visibilitychange', look);
    stop?.();
  };
}
