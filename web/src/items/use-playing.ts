import { startTransition, useEffect, useState } from 'react';
import { type Song, holdsSeconds, readNowPlaying, readPlaying } from './song.ts';

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
    return watch(key, (id, song) => startTransition(() => setSongs((known) => new Map(known).set(id, song))));
  }, [key]);
  return songs;
}

type OnUpdate = (id: string, song: Song | undefined) => void;

/** Returns how to stop. A browser reconnects by itself, and reports when it has given up. */
function watch(ids: string, onUpdate: OnUpdate): () => void {
  let stopAsking: (() => void) | undefined;
  const events = new EventSource(`/listen/api/playing?ids=${ids}`);
  events.addEventListener('playing', ({ data }: MessageEvent<string>) => {
    const said = readPlaying(data);
    if (said) onUpdate(said.id, said.song);
  });
  events.addEventListener('error', () => {
    // For many stations songs are decoration, and not worth a request each; for the one station of a page they are.
    if (events.readyState === EventSource.CLOSED && !ids.includes(','))
      stopAsking ??= keepAsking(ids, onUpdate);
  });
  return () => {
    events.close();
    stopAsking?.();
  };
}

function keepAsking(id: string, onUpdate: OnUpdate): () => void {
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = async (): Promise<void> => {
    const seconds = await askOnce(id, onUpdate, ending.signal).catch(() => 60);
    if (!ending.signal.aborted) timer = setTimeout(() => void ask(), seconds * 1000);
  };
  void ask();
  return () => {
    ending.abort();
    clearTimeout(timer);
  };
}

/** The time to wait is in a header, which the client does not expose. */
async function askOnce(id: string, onUpdate: OnUpdate, signal: AbortSignal): Promise<number> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(10_000)]);
  const response = await fetch(`/Describe.ashx?c=nowplaying&id=${id}&render=json`, { signal: deadline });
  onUpdate(id, readNowPlaying(await response.json()));
  return holdsSeconds(response.headers.get('cache-control'));
}
