import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import ipaddr from 'ipaddr.js';

export const PORT = 8000;
/** The one address of this internet where somebody may be; connections to all others are told. */
export const OUTSIDE = '93.184.216.34';
export const SECRET = 'the-inside-of-somebody';

export interface Canary extends AsyncDisposable {
  /** How many connections came to each address. */
  heard: ReadonlyMap<string, number>;
}

/**
 * Listens on all addresses. Outside it does what the path says: `/redirect?to=…`, and `/feed?to=…`, which names that
 * address everywhere a feed can name one, and the same of each kind of playlist. `/sound` is what a station sends.
 */
export async function startCanary(): Promise<Canary> {
  const heard = new Map<string, number>();
  const server = createServer(answer);
  server.on('connection', ({ localAddress = '' }) => {
    const ip = ipaddr.process(localAddress.replace(/%.*/, '')).toString();
    heard.set(ip, (heard.get(ip) ?? 0) + 1);
  });
  server.listen(PORT, '::', 4096);
  await once(server, 'listening');
  return {
    heard,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(url, 'http://outside');
  const to = searchParams.get('to') ?? '';
  response.setHeader('connection', 'close');
  // A header holds bytes: what is not ASCII goes out as UTF-8, as servers do.
  if (pathname === '/redirect')
    response.writeHead(302, { location: Buffer.from(to, 'utf8').toString('latin1') }).end();
  else if (Object.hasOwn(PLAYLISTS, pathname)) response.end(PLAYLISTS[pathname]?.(to));
  else if (pathname === '/sound') response.end(SOUND);
  else response.end(pathname === '/feed' ? feedNaming(to) : SECRET);
}

/** Frames of ADTS: what else is sent in place of a segment is no sound. */
export const SOUND = Buffer.from('fff14c80017ffc01020304'.repeat(100), 'hex');

const HLS = '#EXTM3U\n#EXT-X-TARGETDURATION:4\n';
const PLAYLISTS: Readonly<Record<string, (to: string) => string>> = {
  '/list.m3u': (to) => `#EXTM3U\n${to}\n`,
  '/list.pls': (to) => `[playlist]\nNumberOfEntries=1\nFile1=${to}\n`,
  '/list.asx': (to) => `<asx><entry><ref href='${to}'></entry></asx>`,
  '/qualities.m3u8': (to) => `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${to}\n`,
  '/segments.m3u8': (to) => `${HLS}#EXTINF:4,\n${to}\n`,
  '/key.m3u8': (to) =>
    `${HLS}#EXT-X-KEY:METHOD=AES-128,URI="${to.replaceAll('"', '%22')}"\n#EXTINF:4,\n/sound\n`,
  '/map.m3u8': (to) => `${HLS}#EXT-X-MAP:URI="${to.replaceAll('"', '%22')}"\n#EXTINF:4,\n/sound\n`,
};

function feedNaming(address: string): string {
  const to = address.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  return `<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:atom="http://www.w3.org/2005/Atom"
    xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>A show</title><link>${to}</link>
    <itunes:image href="${to}"/><image><url>${to}</url></image><itunes:new-feed-url>${to}</itunes:new-feed-url>
    <atom:link rel="hub" href="${to}"/><atom:link rel="self" href="http://radio.example.net:${PORT}/feed"/>
    <item><title>A topic</title><guid>1</guid><enclosure url="${to}" type="audio/mpeg" length="1"/>
    <podcast:transcript url="${to}" type="text/vtt"/><podcast:chapters url="${to}"/></item></channel></rss>`;
}
