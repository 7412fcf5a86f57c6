import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

const LATE = 'ERR_HTTP_REQUEST_TIMEOUT';
const LATE_HANDSHAKE = 'ERR_TLS_HANDSHAKE_TIMEOUT';
const STATUS = new Map([
  [LATE, '408 Request Timeout'],
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
]);
/** Thousands may be late at the same moment; all in one go they would hold up everybody else for a second. */
const HUNG_UP_AT_ONCE = 50;
/** To read why, and to hang up; whoever goes on sending instead is cut off. */
const LINGER_MS = 1000;

/** Answers bytes that are not HTTP, and requests that do not end; hangs up on handshakes that fail or do not end. */
export function answerClientErrors(server: Pick<Server, 'on'>): void {
  const late: Duplex[] = [];
  const hangUp = (): void => {
    for (const socket of late.splice(0, HUNG_UP_AT_ONCE)) refuse(socket, LATE);
    if (late.length > 0) setImmediate(hangUp);
  };
  server.on('clientError', (error, socket) => {
    const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
    if (code !== LATE && code !== LATE_HANDSHAKE) refuse(socket, code);
    else if (late.push(socket) === 1) setImmediate(hangUp);
  });
}

/** Repeats nothing of what came. */
function refuse(socket: Duplex, code: string): void {
  if (code === 'ECONNRESET' || !socket.writable || isInHandshake(socket)) {
    socket.destroy();
    return;
  }
  const status = STATUS.get(code) ?? '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Nothing can be written then: an answer would wait for a handshake that never comes. */
const isInHandshake = (socket: Duplex): boolean =>
  'secureConnecting' in socket && socket.secureConnecting === true;
