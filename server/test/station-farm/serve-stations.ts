/** The farm as a process: a door for each host on loopback, and a control that tells what goes on. */
import { createServer as createHttpServer } from 'node:http';
import type { Socket } from 'node:net';
import { Connections } from '../feed-farm/connections.ts';
import { listening, openHosts } from '../feed-farm/open-hosts.ts';
import { kindOf } from './kinds.ts';
import { hostCount, nextAddress } from './places.ts';
import { TYPES, type Sound, makeSounds } from './sounds.ts';

/** Counting those at a host takes time when there are too many, as a bare reader has. */
const [stations = 0, delayMs = 0, isCounting = 1] = process.argv.slice(2).map(Number);
/** What Icecast sends at once. */
const BURST = 64 * 1024;
const sounds = await makeSounds();
const port = await openHosts(hostCount(stations), (host, socket) => {
  if (isCounting) connections.opened(host, socket);
  serve(socket);
});
const connections = new Connections(port);
const control = createHttpServer((_request, response) => {
  const { total, most, mostAt } = connections;
  response.end(JSON.stringify({ connections: total, mostAtOnce: most, mostAt }));
});
const controlPort = await listening(control, 0, '127.0.0.1');
console.log(JSON.stringify({ port, controlPort }));
// Whoever started the farm holds the other end, and closes it by ending.
process.stdin.resume().once('close', () => process.exit());

/** No answer comes at once, so that who asks a host too often at a time is seen doing it. */
function serve(socket: Socket): void {
  socket.on('error', () => undefined);
  socket.once('data', (question) => {
    const [, path = ''] = question.toString('latin1').split(' ', 2);
    const later = setTimeout(() => answer(socket, path), delayMs);
    socket.once('close', () => clearTimeout(later));
  });
}

function answer(socket: Socket, path: string): void {
  const [digits = '', before] = path.split('/').toReversed();
  const number = Number(digits);
  const kind = kindOf(number);
  if (before === 'next') return play(socket, 'mp3');
  if (kind === 'moved')
    return say(socket, '302 Found', { location: nextAddress(number, { stations, port }) });
  if (kind === 'listed')
    return say(
      socket,
      '200 OK',
      { 'content-type': 'audio/x-mpegurl' },
      nextAddress(number, { stations, port }),
    );
  if (kind === 'missing') return say(socket, '404 Not Found');
  if (kind === 'page')
    return say(socket, '200 OK', { 'content-type': 'text/html' }, '<!doctype html><p>Parked');
  if (kind === 'refused') return say(socket, '403 Forbidden');
  if (kind === 'full') return say(socket, '503 Service Unavailable');
  play(socket, kind);
}

function say(socket: Socket, status: string, headers: Record<string, string> = {}, body = ''): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.0 ${status}\r\n${lines.join('')}content-length: ${body.length}\r\n\r\n${body}`);
}

/** A burst, and then the connection stays as that of a live station does. */
function play(socket: Socket, sound: Sound): void {
  socket.write(`HTTP/1.0 200 OK\r\ncontent-type: ${TYPES[sound]}\r\nicy-name: Farm\r\n\r\n`);
  socket.write(sounds[sound].subarray(0, BURST));
}
