import type { Socket } from 'node:net';

/** What a server does with a connection once it has been asked something, or at once when it does not wait for that. */
export type Behaviour = (socket: Socket) => void;

/** As fast as the other side reads, for as long as it does. */
export const endlessly =
  (head: string, piece: string | Buffer): Behaviour =>
  (socket) => {
    const more = (): void => {
      if (!socket.destroyed) socket.write(piece, (error) => (error ? undefined : setImmediate(more)));
    };
    socket.write(head, more);
  };

/** A piece, and a while later another one. */
export const dripping =
  (head: string, piece: string | Buffer, everyMs = 20): Behaviour =>
  (socket) => {
    socket.write(head);
    const more = setInterval(() => socket.write(piece), everyMs);
    socket.on('close', () => clearInterval(more));
  };

export const once =
  (...pieces: (string | Buffer)[]): Behaviour =>
  (socket) => {
    for (const piece of pieces) socket.write(piece);
    socket.end();
  };

/** Says that, and then nothing more. */
export const thenNothing =
  (text: string | Buffer): Behaviour =>
  (socket) =>
    void socket.write(text);

export const headers = (...lines: string[]): string => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');
