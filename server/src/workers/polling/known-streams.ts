import { LRUCache } from 'lru-cache';
import type { SongSource } from '../../core/now-playing/song.ts';

/** What this poller has learnt about a stream; it is not shared with other pollers. */
export interface KnownStream {
  source: MetadataSource;
  /** Its server has no useful status document; do not look again. */
  hasNoStatus: boolean;
  /** It never names its songs. */
  isMute: boolean;
  /** How often it named no song; reset once it names one. */
  silences: number;
  /** Consecutive failures to answer. */
  failures: number;
}

const MAX_KNOWN = 100_000;
/** Stations change servers, so that what was learnt expires. */
const FORGET_MS = 30 * 60_000;

export class KnownStreams {
  readonly #known = new LRUCache<number, KnownStream>({ max: MAX_KNOWN, ttl: FORGET_MS });

  of({ id, address }: { id: number; address: string }): KnownStream {
    const known = this.#known.get(id);
    if (known) return known;
    const fresh = {
      source: firstSource(address),
      hasNoStatus: false,
      isMute: false,
      silences: 0,
      failures: 0,
    };
    this.#known.set(id, fresh);
    return fresh;
  }

  /** Streams that named no songs so far may have begun to. */
  askAgain(streams: readonly { id: number; address: string }[]): void {
    for (const stream of streams) this.of(stream).isMute = false;
  }

  /** The first that names its songs and answers; else the one that failed least. Undefined when all are mute. */
  choose<S extends { id: number; address: string }>(streams: readonly S[]): S | undefined {
    const speaking = streams.filter((stream) => !this.of(stream).isMute);
    return speaking.toSorted((one, other) => this.of(one).failures - this.of(other).failures)[0];
  }
}

/** A server's document that names the songs on its streams. */
export interface StatusSource {
  readonly kind: 'status';
  readonly source: Extract<SongSource, 'icecast' | 'shoutcast' | 'azuracast'>;
  readonly address: string;
  /** Which of the server's streams it is about, by its path. */
  readonly mount: string;
}

/** How the song of a stream is learnt. */
type MetadataSource = StatusSource | { readonly kind: 'listen'; readonly address: string };

/** `/listen/station/radio.mp3` identifies AzuraCast, whose document says when a song ends. */
export function firstSource(address: string): MetadataSource {
  const url = URL.parse(address);
  const name = url && /^\/listen\/([\w.~-]{1,100})\/[^/]+$/.exec(url.pathname)?.[1];
  if (!url || name === undefined || name === null) return { kind: 'listen', address };
  const document = `${url.origin}/api/nowplaying/${name}`;
  return { kind: 'status', source: 'azuracast', address: document, mount: url.pathname };
}

/** Where the server of a stream publishes its song, guessed from its headers; the first request confirms it. */
export function statusSource(
  address: string,
  headers: ReadonlyMap<string, string>,
): StatusSource | undefined {
  const url = URL.parse(address);
  if (!url) return undefined;
  const { origin, pathname: mount } = url;
  if (/^icecast/i.test(headers.get('server') ?? ''))
    return { kind: 'status', source: 'icecast', address: `${origin}/status-json.xsl`, mount };
  const path = shoutcastPath(url, headers.get('icy-notice2') ?? headers.get('server') ?? '');
  return path === undefined
    ? undefined
    : { kind: 'status', source: 'shoutcast', address: `${origin}${path}`, mount };
}

/** Version 1 has one stream and one page about it. */
function shoutcastPath(url: URL, notice: string): string | undefined {
  if (!/shoutcast/i.test(notice)) return undefined;
  if (/v1\./i.test(notice)) return '/7.html';
  const sid = shoutcastStream(url);
  return sid === undefined ? undefined : `/stats?sid=${sid}&json=1`;
}

/** `/stream/2/`, `/;?sid=2`; the first stream where there is none. A path chosen by the station says nothing. */
function shoutcastStream({ pathname, searchParams }: URL): string | undefined {
  const numbered = /^\/stream\/(\d{1,4})\/?$/.exec(pathname)?.[1] ?? searchParams.get('sid');
  if (numbered !== null) return /^\d{1,4}$/.test(numbered) ? numbered : undefined;
  return /^\/(?:;.*|stream\/?)?$/.test(pathname) ? '1' : undefined;
}
