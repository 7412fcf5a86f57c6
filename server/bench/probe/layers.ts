import { SafeFetcher } from '../../src/net/fetch/fetch-safely.ts';
import { Deadline } from '../../src/net/fetch/deadline.ts';
import { Route } from '../../src/net/tuner/route.ts';
import { TuneInFailed } from '../../src/net/tuner/tune-in-failed.ts';
import { tuneIn } from '../../src/net/tuner/tune-in.ts';
import { readSome } from '../../src/net/tuner/tuned-in.ts';
import { probeStream } from '../../src/workers/probe/probe-stream.ts';
import { farmPolicy } from '../../test/feed-farm/hosts.ts';
import { kindOf } from '../../test/station-farm/kinds.ts';
import { nextAddress, type Place, stationAddress } from '../../test/station-farm/places.ts';
import { anySlot, ENOUGH, readBare } from './bare-read.ts';

export type Layer = (number: number, farm: Place) => Promise<void>;

const fetcher = new SafeFetcher({ policy: farmPolicy, hostLimiter: anySlot });
const { signal } = new AbortController();
const [deadlineMs, listenMs] = [12_000, 6000];

/** The layers of a probe, each including all those below it. */
export const LAYERS: Readonly<Record<string, Layer>> = {
  'connected and read, bare': readBare,
  'through the guard: slots, names, addresses checked': async (number, farm) => {
    for (const address of addressesOf(number, farm)) await readGuarded(address);
  },
  'the head of the answer read': async (number, farm) => {
    using deadline = new Deadline(deadlineMs, signal);
    const route = new Route(fetcher, deadline, { deadlineMs });
    for (const address of addressesOf(number, farm)) (await route.ask(address))[Symbol.dispose]();
  },
  'playlists and redirects followed to the sound': (number, farm) =>
    found(async () => {
      using _ = await tuneIn(fetcher, stationAddress(number, farm), { deadlineMs, signal });
    }),
  'the sound listened to': (number, farm) =>
    found(async () => {
      using tuned = await tuneIn(fetcher, stationAddress(number, farm), { deadlineMs, signal });
      await readSome(tuned, ENOUGH, listenMs);
    }),
  'and told what it is': (number, farm) =>
    found(async () => void (await probeStream(fetcher, stationAddress(number, farm), signal))),
};

/** The addresses that a probe connects to, known beforehand. */
function addressesOf(number: number, farm: Place): string[] {
  const isSentOn = ['moved', 'listed'].includes(kindOf(number));
  return [stationAddress(number, farm), ...(isSentOn ? [nextAddress(number, farm)] : [])];
}

async function readGuarded(address: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let length = 0;
  const take = (piece: Buffer): boolean => {
    length += piece.length;
    if (length >= ENOUGH) socket.destroy();
    return true;
  };
  using deadline = new Deadline(deadlineMs, signal);
  const { socket, to } = await fetcher.open(address, deadline, take);
  socket.on('close', () => resolve());
  socket.write(`GET ${to.url.pathname} HTTP/1.1\r\nHost: farm\r\nConnection: close\r\n\r\n`, 'latin1');
  await promise;
}

/** Some stations of the farm are dead, which is a result too. */
async function found(listening: () => Promise<void>): Promise<void> {
  try {
    await listening();
  } catch (error) {
    if (!(error instanceof TuneInFailed) || error.isOurs) throw error;
  }
}
