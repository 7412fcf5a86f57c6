import type { Socket } from 'node:net';

/** More than any radio or browser sends. */
const MAX_HEAD_BYTES = 8 * 1024;
const MAX_WAIT_MS = 10_000;
const REQUEST_LINE = /^([A-Z]{1,16}) (\S{1,2048}) HTTP\/1\.\d$/;

/** The request of a listener, as far as a relay looks at it. */
export interface RequestHead {
  method: string;
  path: string;
  /** In lower case; of several with one name the last. */
  headers: ReadonlyMap<string, string>;
}

/**
 * Reads the one request that a connection has; what follows it is discarded. Without a parser that stays with the
 * connection a listener takes half the memory. Undefined where no request comes in time, or something else does.
 */
export function readRequestHead(socket: Socket): Promise<RequestHead | undefined> {
  const { promise, resolve } = Promise.withResolvers<RequestHead | undefined>();
  let text = '';
  const done = (head: RequestHead | undefined): void => {
    clearTimeout(timer);
    socket.off('data', take).off('close', giveUp);
    socket.resume();
    resolve(head);
  };
  const giveUp = (): void => done(undefined);
  const take = (piece: Buffer): void => {
    // The end may have begun with the piece before.
    const from = Math.max(0, text.length - 3);
    text += piece.toString('latin1');
    const end = /\r?\n\r?\n/.exec(text.slice(from));
    if (end) done(parseHead(text.slice(0, from + end.index)));
    else if (text.length > MAX_HEAD_BYTES) giveUp();
  };
  const timer = setTimeout(giveUp, MAX_WAIT_MS);
  socket.on('data', take).once('close', giveUp);
  return promise;
}

export function parseHead(text: string): RequestHead | undefined {
  const [first = '', ...lines] = text.split(/\r?\n/);
  const [, method = '', target = ''] = REQUEST_LINE.exec(first) ?? [];
  if (method === '') return undefined;
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return { method, path: pathOf(target), headers };
}

/** Some firmware names the whole address, as to a proxy. */
function pathOf(target: string): string {
  const path = target.startsWith('/') ? target : (URL.parse(target)?.pathname ?? '');
  return path.split('?', 1)[0] ?? '';
}
