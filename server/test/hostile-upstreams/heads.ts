import { type Behaviour, dripping, endlessly, headers, once, thenNothing } from './send.ts';

const K = 1024;

/** What goes wrong before there is a body. */
export const HEADS: Readonly<Record<string, Behaviour>> = {
  'reads the question and says nothing': thenNothing(''),
  'closes at once': (socket) => socket.destroy(),
  resets: (socket) => void socket.resetAndDestroy(),
  'answers a letter at a time': dripping('', 'H'),
  'sends its head a letter at a time': dripping('HTTP/1.1 200 OK\r\nx: ', 'y'),
  'sends headers without end': endlessly('HTTP/1.1 200 OK\r\n', `x-${'y'.repeat(5000)}: 1\r\n`),
  'sends one header without end': endlessly('HTTP/1.1 200 OK\r\nx: ', 'y'.repeat(64 * K)),
  'sends small headers without end': endlessly('HTTP/1.1 200 OK\r\n', 'a: b\r\n'.repeat(K)),
  'says Continue without end': endlessly('', 'HTTP/1.1 100 Continue\r\n\r\n'),
  'says Continue now and then': dripping('', 'HTTP/1.1 100 Continue\r\n\r\n', 5),
  'gives early hints without end': endlessly(
    '',
    `HTTP/1.1 103 Early Hints\r\nlink: <${'x'.repeat(4 * K)}>\r\n\r\n`,
  ),
  'switches to another protocol': thenNothing(
    'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
  ),
  'speaks SSH': once('SSH-2.0-OpenSSH_9.2\r\n'),
  'speaks ICY, with a very distant title': endlessly(
    'ICY 200 OK\r\nicy-metaint: 2147483648\r\n\r\n',
    Buffer.alloc(64 * K),
  ),
  'sends only a body': once('<rss/>'),
  'has a status that is none': once('HTTP/1.1 999999 X\r\n\r\n'),
  'has a negative length': once(headers('content-length: -5'), 'x'),
  'has two lengths': once(headers('content-length: 1', 'content-length: 2'), 'xx'),
  'has a length and chunks': once(
    headers('content-length: 1', 'transfer-encoding: chunked'),
    '1\r\nx\r\n0\r\n\r\n',
  ),
  'has a NUL in a header': once(headers('x: a\0b', 'content-length: 1'), 'x'),
  'redirects to an address longer than a head': once(
    `HTTP/1.1 302 Found\r\nlocation: http://a.example.net/${'x'.repeat(32 * K)}\r\n\r\n`,
  ),
  'redirects to itself': once('HTTP/1.1 302 Found\r\nlocation: ?\r\ncontent-length: 0\r\n\r\n'),
  'redirects to ever other addresses': (socket) =>
    void socket.end(`HTTP/1.1 307 Again\r\nlocation: /${Math.random()}\r\ncontent-length: 0\r\n\r\n`),
  'redirects with a body without end': endlessly(
    'HTTP/1.1 302 Found\r\nlocation: ?\r\n\r\n',
    Buffer.alloc(64 * K),
  ),
  'redirects to a file': once('HTTP/1.1 302 Found\r\nlocation: file:///etc/passwd\r\n\r\n'),
};
