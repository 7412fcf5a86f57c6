import type { SongSource } from '../playing/song.ts';

/** A document of a server that says what plays on it. */
export interface StatusWay {
  readonly kind: 'status';
  readonly source: Extract<SongSource, 'icecast' | 'shoutcast' | 'azuracast'>;
  readonly address: string;
  /** Which of the server's streams it is about, by its path. */
  readonly mount: string;
}

/** How the song of a stream is learnt. */
export type Way = StatusWay | { readonly kind: 'listen'; readonly address: string };

/** `/listen/station/radio.mp3`: stations of one kind of server are known by it, and their document tells a song's end. */
export function firstWay(address: string): Way {
  const url = URL.parse(address);
  const name = url && /^\/listen\/([\w.~-]{1,100})\/[^/]+$/.exec(url.pathname)?.[1];
  if (!url || name === undefined || name === null) return { kind: 'listen', address };
  const document = `${url.origin}/api/nowplaying/${name}`;
  return { kind: 'status', source: 'azuracast', address: document, mount: url.pathname };
}

/** Where the server of a stream tells what plays, going by what it says of itself; a guess that the first look settles. */
export function statusWay(address: string, headers: ReadonlyMap<string, string>): StatusWay | undefined {
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

/** The first version has one stream and one page about it. */
function shoutcastPath(url: URL, notice: string): string | undefined {
  if (!/shoutcast/i.test(notice)) return undefined;
  if (/v1\./i.test(notice)) return '/7.html';
  const sid = shoutcastStream(url);
  return sid === undefined ? undefined : `/stats?sid=${sid}&json=1`;
}

/** `/stream/2/`, `/;?sid=2`; the first where there is none. A path of the station's own choice says nothing. */
function shoutcastStream({ pathname, searchParams }: URL): string | undefined {
  const numbered = /^\/stream\/(\d{1,4})\/?$/.exec(pathname)?.[1] ?? searchParams.get('sid');
  if (numbered !== null) return /^\d{1,4}$/.test(numbered) ? numbered : undefined;
  return /^\/(?:;.*|stream\/?)?$/.test(pathname) ? '1' : undefined;
}
