/**
 * What probing is measured against: the farm's stations connected to and read in one process with nothing around it. Does
 * so once for each line it is given, and prints what that took. It makes the connections that a probe makes: where a
 * redirect or a playlist leads is known beforehand, and read next.
 */
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { ipOfHost } from '../../test/feed-farm/hosts.ts';
import { kindOf } from '../../test/station-farm/kinds.ts';
import { hostOf, nextHostOf } from '../../test/station-farm/places.ts';
import type { Pass } from './pass.ts';

const [stations = 0, port = 0, atOnce = 0] = process.argv.slice(2).map(Number);
/** As much sound as a probe reads. */
const ENOUGH = 16 * 1024;

createInterface({ input: process.stdin }).on('line', () => {
  void pass().then((told) => console.log(JSON.stringify(told)));
});

async function pass(): Promise<Pass> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  let next = 0;
  const takeTurns = async (): Promise<void> => {
    while (next < stations) {
      const number = next;
      next += 1;
      await listen(number);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, takeTurns));
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs: performance.now() - started, cpuMs: (user + system) / 1000 };
}

async function listen(number: number): Promise<void> {
  const kind = kindOf(number);
  await read(hostOf(number, stations), `/${number}`);
  if (kind === 'moved' || kind === 'listed') await read(nextHostOf(number, stations), `/next/${number}`);
}

function read(host: number, path: string): Promise<number> {
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
