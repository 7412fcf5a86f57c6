import { startTransition, useEffect, useState } from 'react';
import { type Song, holdsSeconds, readNowPlaying, readPlaying } from './song.ts';

/** As many stations as the server tells of at once. */
const MOST_STATIONS = 20;
export type Songs = ReadonlyMap<string, Song | undefined>;
const NOTHING: Songs = new Map();

/** What these stations play, as it changes: told by the server, or asked for where a proxy lets no events through. */
export function usePlaying(ids: readonly string[]): Songs {
  const [songs, setSongs] = useState(NOTHING);
  const key = ids.slice(0, MOST_STATIONS).join(',');
  useEffect(() => {
    setSongs(NOTHING);
    if (key === '') return undefined;
    return watch(key, (id, song) => startTransition(() => setSongs((known) => new Map(known).set(id, song))));
  }, [key]);
  return songs;
}

type Tell = (id: string, song: Song | undefined) => void;

/** Returns how to stop. A browser comes back by itself after a break, and says when it has given up. */
function watch(ids: string, tell: Tell): () => void {
  let stopAsking: (() => void) | undefined;
  const events = new EventSource(`/listen/api/playing?ids=${ids}`);
  events.addEventListener('playing', ({ data }: MessageEvent<string>) => {
    const told = readPlaying(data);
    if (told) tell(told.id, told.song);
  });
  events.addEventListener('error', () => {
    // Many stations are decoration on a list, and not worth a call each; the one of a page is.
    if (events.readyState === EventSource.CLOSED && !ids.includes(',')) stopAsking ??= keepAsking(ids, tell);
  });
  return () => {
    events.close();
    stopAsking?.();
  };
}

function keepAsking(id: string, tell: Tell): () => void {
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = async (): Promise<void> => {
    const seconds = await askOnce(id, tell, ending.signal).catch(() => 60);
    if (!ending.signal.aborted) timer = setTimeout(() => void ask(), seconds * 1000);
  };
  void ask();
  return () => {
    ending.abort();
    clearTimeout(timer);
  };
}

/** The time to wait is in a header, which the client does not hand out. */
async function askOnce(id: string, tell: Tell, signal: AbortSignal): Promise<number> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(10_000)]);
  const response = await fetch(`/Describe.ashx?c=nowplaying&id=${id}&render=json`, { signal: deadline });
  tell(id, readNowPlaying(await response.json()));
  return holdsSeconds(response.headers.get('cache-control'));
}
