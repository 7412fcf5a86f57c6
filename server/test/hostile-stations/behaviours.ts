import {
  type Behaviour,
  dripping,
  endlessly,
  headers,
  once,
  thenNothing,
} from '../hostile-upstreams/send.ts';
import { mp3Frames, titleBlock } from '../stations/sounds.ts';

const K = 1024;
const AUDIO = 'content-type: audio/mpeg';
const M3U = headers('content-type: audio/x-mpegurl');
const HLS = headers('content-type: application/vnd.apple.mpegurl');
const CHUNKED = headers(AUDIO, 'transfer-encoding: chunked');
const icy = (...lines: string[]): string => ['ICY 200 OK', ...lines, '', ''].join('\r\n');
const SOUND = mp3Frames(150);
const TITLES = Buffer.alloc(16 * (1 + 255 * 16 + 1), 0);
for (let at = 0; at < TITLES.length; at += 1 + 255 * 16 + 1) {
  TITLES[at + 1] = 255;
  TITLES.fill("StreamTitle='", at + 2, at + 2 + 4080);
}
/** A title in a block of 4,080 bytes, behind one byte of sound. */
const bomb = (title: string): Buffer =>
  Buffer.concat([Buffer.alloc(1), titleBlock(`StreamTitle='${title}';`)]);

/** What a station can do to a listener beside playing; the way to it is by `http:`. */
export const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  // Heads.
  'says nothing': thenNothing(''),
  'closes at once': (socket) => socket.destroy(),
  'resets at once': (socket) => void socket.resetAndDestroy(),
  'drips its first line': dripping('', 'I'),
  'drips its head without end': dripping('ICY 200 OK\r\nicy-name: ', 'x', 5),
  'sends a first line without end': endlessly('ICY 200 ', 'O'.repeat(64 * K)),
  'sends headers without end': endlessly('ICY 200 OK\r\n', 'icy-notice: x\r\n'.repeat(K)),
  'says Continue without end': endlessly('', 'HTTP/1.1 100 Continue\r\n\r\n'),
  'speaks another protocol': once('220 ftp.example.net FTP server ready\r\n'),
  'speaks another protocol, and stays': thenNothing('220 ftp.example.net FTP server ready\r\n'),
  'speaks HTTP/2': once(Buffer.from('000012040000000000', 'hex')),
  // Where it sends on to.
  'redirects to itself': once('HTTP/1.1 302 Found\r\nlocation: ?\r\n\r\n'),
  'redirects nowhere, and stays': thenNothing('HTTP/1.1 302 Found\r\nlocation: http://[\r\n\r\n'),
  'redirects to ever other addresses': (socket) =>
    void socket.end(`HTTP/1.1 302 Found\r\nlocation: /${Math.random()}\r\n\r\n`),
  'redirects inside': once('HTTP/1.1 302 Found\r\nlocation: http://inside.example.net/\r\n\r\n'),
  'redirects inside, and stays': thenNothing(
    'HTTP/1.1 302 Found\r\nlocation: http://inside.example.net/\r\n\r\n',
  ),
  'redirects to a port of another service': once(
    'HTTP/1.1 302 Found\r\nlocation: //radio.example.net:6379/\r\n\r\n',
  ),
  'is a playlist of itself': once(M3U, '?1\n?2\n?3\n?4\n'),
  'is a playlist of itself, and stays': thenNothing(`${M3U}?1\n?2\n?3\n?4\n`),
  'is a playlist of ever other ones': (socket) =>
    void socket.end(`${M3U}/${Math.random()}\n/${Math.random()}\n/${Math.random()}\n`),
  'is a playlist without end': endlessly(`${M3U}#EXTM3U\n`, 'http://inside.example.net/a\n'.repeat(K)),
  'is a playlist of one line without end': endlessly(M3U, 'x'.repeat(64 * K)),
  'is a playlist of nothing, slowly': dripping(M3U, '# \n'),
  'is an ASX of open tags without end': endlessly(headers('content-type: video/x-ms-asf'), '<ref '.repeat(K)),
  'is an XSPF that nests without end': endlessly(
    headers('content-type: application/xspf+xml'),
    '<playlist>'.repeat(K),
  ),
  'is a list of qualities that is its own quality': once(HLS, '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n?\n'),
  'is a list of segments that is its own segment': once(
    HLS,
    '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n?\n',
  ),
  'is a list of segments without end': endlessly(
    `${HLS}#EXTM3U\n#EXT-X-VERSION:3\n`,
    '#EXTINF:1,\n?\n'.repeat(K),
  ),
  'is a list of segments inside': once(
    HLS,
    '#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:1,\nhttp://inside.example.net/a.ts\n',
  ),
  'is a list of segments inside, and stays': thenNothing(
    `${HLS}#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:1,\nhttp://inside.example.net/a.ts\n`,
  ),
  // Sound that is none.
  'is a page': once(headers('content-type: text/html'), '<!doctype html><title>Radio</title>'),
  'is a page that is called sound': once(headers(AUDIO), '<html>'.repeat(K)),
  'answers, and then is silent': thenNothing(icy(AUDIO)),
  'sends nothing and closes': once(icy(AUDIO)),
  'sends zeros without end': endlessly(icy(AUDIO), Buffer.alloc(64 * K)),
  'sends what looks like frames without end': endlessly(icy(AUDIO), Buffer.alloc(64 * K, 0xff)),
  'promises a terabyte': endlessly(headers(AUDIO, 'content-length: 1099511627776'), Buffer.alloc(64 * K)),
  'sends a chunk whose length is none': once(CHUNKED, 'zz\r\n'),
  'sends a chunk whose length is none, and stays': thenNothing(`${CHUNKED}zz\r\n`),
  'sends a chunk of four gigabytes': endlessly(`${CHUNKED}ffffffff\r\n`, Buffer.alloc(64 * K)),
  'sends chunks of one byte without end': endlessly(CHUNKED, '1\r\nx\r\n'.repeat(4 * K)),
  'explains a chunk without end': endlessly(`${CHUNKED}1;`, 'x'.repeat(16 * K)),
  'names a container and sends no more': thenNothing(
    Buffer.concat([Buffer.from(icy(AUDIO)), Buffer.from('OggS')]),
  ),
  'has a tag of a quarter of a gigabyte': endlessly(
    icy(AUDIO),
    Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f', 'latin1'),
  ),
  // Titles.
  'has its titles two gigabytes apart': endlessly(icy(AUDIO, 'icy-metaint: 2147483648'), SOUND),
  'sends titles of 4,080 bytes behind each byte, without end': endlessly(
    icy(AUDIO, 'icy-metaint: 1'),
    TITLES,
  ),
  'sends blocks of nothing behind each byte': endlessly(icy(AUDIO, 'icy-metaint: 1'), Buffer.alloc(64 * K)),
  'sends a title that turns the writing': endlessly(
    icy(AUDIO, 'icy-metaint: 1'),
    bomb('\u202e'.repeat(1300)),
  ),
  'sends a title of controls': endlessly(icy(AUDIO, 'icy-metaint: 1'), bomb('\u001b[2J\u0007'.repeat(800))),
  'sends a title of many quotation marks': endlessly(icy(AUDIO, 'icy-metaint: 1'), bomb("'".repeat(4000))),
  // Sound that breaks off.
  'resets in the middle of the sound': (socket) =>
    socket.write(Buffer.concat([Buffer.from(icy(AUDIO)), SOUND.subarray(0, 2000)]), () => {
      setTimeout(() => socket.resetAndDestroy(), 20);
    }),
  'sends a byte of sound at a time': dripping(icy(AUDIO), SOUND.subarray(0, 1)),
  'sends sound, and then is silent': thenNothing(
    Buffer.concat([Buffer.from(icy(AUDIO)), SOUND.subarray(0, 3000)]),
  ),
};
