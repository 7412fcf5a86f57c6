/**
 * What probing is measured against: the farm's stations connected to and read in one process with nothing around it. It
 * makes the connections that a probe makes: where a redirect or a playlist leads is known beforehand, and read next.
 */
import { connect } from 'node:net';
import { ipOfHost } from '../../test/feed-farm/hosts.ts';
import { kindOf } from '../../test/station-farm/kinds.ts';
import { hostOf, nextHostOf } from '../../test/station-farm/places.ts';
import { type Task, passOnDemand } from './pass.ts';

/** As much sound as a probe reads. */
const ENOUGH = 16 * 1024;

passOnDemand(async (number: number, { stations, port }: Task): Promise<void> => {
  const kind = kindOf(number);
  await read(port, hostOf(number, stations), `/${number}`);
  if (kind === 'moved' || kind === 'listed')
    await read(port, nextHostOf(number, stations), `/next/${number}`);
});

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
