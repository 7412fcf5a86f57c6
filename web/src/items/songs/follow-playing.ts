import { type Song, holdsSeconds, readNowPlaying, readPlaying } from './song.ts';

type OnUpdate = (id: string, song: Song | undefined) => void;

/** When songs of many stations are asked for again after the server refused them. */
const AGAIN_MS = 60_000;

/**
 * The songs of stations, `s1,s2`, as they change: pushed by the server, or polled where a proxy blocks events. Returns
 * how to stop. A browser reconnects by itself, and reports when it has given up.
 */
export function followPlaying(ids: string, onUpdate: OnUpdate): () => void {
  let stopInstead: (() => void) | undefined;
  const events = new EventSource(`/listen/api/playing?ids=${ids}`);
  events.addEventListener('playing', ({ data }: MessageEvent<string>) => {
    const said = readPlaying(data);
    if (said) onUpdate(said.id, said.song);
  });
  events.addEventListener('error', () => {
    if (events.readyState !== EventSource.CLOSED) return;
    // For many stations songs are decoration, and not worth a request each; for the one station of a page they are.
    stopInstead ??= ids.includes(',') ? followLater(ids, onUpdate) : keepAsking(ids, onUpdate);
  });
  return () => {
    events.close();
    stopInstead?.();
  };
}

/** Until then none is shown: a song that was on when the server refused is over soon. */
function followLater(ids: string, onUpdate: OnUpdate): () => void {
  for (const id of ids.split(',')) onUpdate(id, undefined);
  let stop = (): void => clearTimeout(timer);
  const timer = setTimeout(() => {
    stop = followPlaying(ids, onUpdate);
  }, AGAIN_MS);
  return () => stop();
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
