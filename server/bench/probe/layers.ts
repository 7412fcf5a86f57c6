import { SafeFetcher } from '../../src/lib/fetch-safely/fetch-safely.ts';
import { Patience } from '../../src/lib/fetch-safely/patience.ts';
import { probeStream } from '../../src/probe/probe-stream.ts';
import { readSome } from '../../src/tuner/read-some.ts';
import { Route } from '../../src/tuner/route.ts';
import { TuneInFailed } from '../../src/tuner/tune-in-failed.ts';
import { tuneIn } from '../../src/tuner/tune-in.ts';
import { farmPolicy } from '../../test/feed-farm/hosts.ts';
import { kindOf } from '../../test/station-farm/kinds.ts';
import { type Place, nextAddress, stationAddress } from '../../test/station-farm/places.ts';
import { ENOUGH, anySeat, readBare } from './bare-read.ts';

export type Layer = (number: number, farm: Place) => Promise<void>;

const fetcher = new SafeFetcher({ policy: farmPolicy, hostSeats: anySeat });
const { signal } = new AbortController();
const [deadlineMs, listenMs] = [12_000, 6000];

/** What a probe is made of, each layer with all that are under it. */
export const LAYERS: Readonly<Record<string, Layer>> = {
  'connected and read, bare': readBare,
  'through the guard: seats, names, addresses checked': async (number, farm) => {
    for (const address of addressesOf(number, farm)) await readGuarded(address);
  },
  'the head of the answer read': async (number, farm) => {
    using patience = new Patience(deadlineMs, signal);
    const route = new Route(fetcher, patience, { deadlineMs });
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

/** Those a probe connects to, told beforehand. */
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
  using patience = new Patience(deadlineMs, signal);
  const { socket, to } = await fetcher.open(address, patience, take);
  socket.on('close', () => resolve());
  socket.write(`GET ${to.url.pathname} HTTP/1.1\r\nHost: farm\r\nConnection: close\r\n\r\n`, 'latin1');
  await promise;
}

/** Some stations of the farm are dead, which is found out too. */
async function found(listening: () => Promise<void>): Promise<void> {
  try {
    await listening();
  } catch (error) {
    if (!(error instanceof TuneInFailed) || error.isOurs) throw error;
  }
}
