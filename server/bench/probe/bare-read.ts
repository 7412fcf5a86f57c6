import { connect } from 'node:net';
import { ipOfHost } from '../../test/feed-farm/hosts.ts';
import { kindOf } from '../../test/station-farm/kinds.ts';
import { type Place, hostOf, nextHostOf } from '../../test/station-farm/places.ts';

/** As much audio as a probe reads. */
export const ENOUGH = 16 * 1024;

/** No limit per host, as in the bare reader. */
const slot = { [Symbol.dispose]: () => undefined };
export const anySlot = { take: () => slot };

/**
 * Makes the connections that a probe makes: the target of a redirect or a playlist is known beforehand, and read next.
 */
export async function readBare(number: number, { stations, port }: Place): Promise<void> {
  const kind = kindOf(number);
  await read(port, hostOf(number, stations), `/${number}`);
  if (kind === 'moved' || kind === 'listed')
    await read(port, nextHostOf(number, stations), `/next/${number}`);
}

function read(port: number, host: number, path: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const socket = connect(port, ipOfHost(host));
  let length = 0;
  socket.on('data', (piece) => {
    length += piece.length;
    if (length >= ENOUGH) socket.destroy();
  });
  socket.on('error', reject).on('close', () => resolve(length));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: farm\r\nIcy-MetaData: 1\r\nConnection: close\r\n\r\n`);
  return promise;
}
