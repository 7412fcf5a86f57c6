import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { RelayKeys } from '../../src/core/streams/relay/relay-address.ts';
import { createLog } from '../../src/lib/log.ts';
import { SafeFetcher } from '../../src/net/fetch/fetch-safely.ts';
import { operatorsChoice, type Policy } from '../../src/net/fetch/policy.ts';
import { Metrics } from '../../src/net/http/metrics.ts';
import type { StreamToRelay } from '../../src/storage/catalog/streams/relayed-stream.ts';
import { RelayMetrics } from '../../src/workers/relay/relay-metrics.ts';
import { type RelayOptions, RelayServer } from '../../src/workers/relay/relay-server.ts';
import { portOf } from '../servers/port-of.ts';
import { FRAME_BYTES, FRAME_MS, framesFrom } from './numbered-frames.ts';
import { Radio, type RadioOptions } from './radio.ts';

export const OK = 'HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\n\r\n';
export const relayKeys = new RelayKeys('a key of thirty-two characters 01');

/** What a station does with a call; calls are counted from one. */
export type OnCall = (socket: Socket, call: number, head: string) => void;

export interface Studio {
  /** As the directory knows its stream. */
  id: number;
  port: number;
  heads: string[];
  /** Connections that are open now. */
  sockets: Set<Socket>;
}

export interface TestRelay extends AsyncDisposable {
  server: RelayServer;
  port: number;
  /** A station whose stream the directory has. */
  studio(onCall: OnCall, path?: string): Promise<Studio>;
  /** A stream of the directory at this address. */
  list(address: string): number;
  radio(streamId: number, options?: RadioOptions & { who?: string; variant?: 'c' | 'm128' }): Radio;
  /** What `/metrics` says. */
  gauge(name: 'relay_listeners' | 'relay_streams'): Promise<number>;
  untilNobodyListens(): Promise<void>;
}

export interface TestRelayOptions extends Partial<
  Pick<RelayOptions, 'isShared' | 'tickMs' | 'keys' | 'findStream'>
> {
  policy?: Policy;
  conversions?: number;
  listeners?: number;
  /** What the directory knows of its streams. */
  format?: StreamToRelay['format'];
}

/** A relay with stations of its own; everything but the directory is real. */
export async function openTestRelay(options: TestRelayOptions = {}): Promise<TestRelay> {
  const { policy = operatorsChoice, listeners = 1000, keys = relayKeys, format = 'mp3' } = options;
  await using opened = new AsyncDisposableStack();
  const addresses: string[] = [];
  const metrics = new Metrics();
  const most = listeners + 10;
  const server = opened.use(
    new RelayServer({
      keys,
      fetcher: new SafeFetcher({ policy, limits: { host: most, network: most, all: most, lookups: most } }),
      isAllowed: async () => true,
      count: () => ({ [Symbol.dispose]: () => undefined }),
      findStream: options.findStream ?? (async (id) => streamAt(id, addresses[id - 1], format)),
      isHome: () => true,
      trustedProxies: [],
      limits: {
        listeners,
        perAddress: listeners,
        perPartner: listeners,
        conversions: options.conversions ?? 0,
      },
      isShared: options.isShared ?? false,
      tickMs: options.tickMs ?? 100,
      isReady: () => true,
      metrics: new RelayMetrics(metrics),
      log: createLog({ level: 'silent' }),
    }),
  );
  const port = await server.listen(0, '127.0.0.1');
  const kept = opened.move();
  let radios = 0;
  const gauge = async (name: string): Promise<number> =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await metrics.registry.metrics())?.[1]);
  const list = (address: string): number => addresses.push(address);
  return {
    server,
    port,
    list,
    async studio(onCall, path = '/live') {
      const studio = { heads: [] as string[], sockets: new Set<Socket>() };
      const listening = await listen((socket, head) => {
        studio.sockets.add(socket.once('close', () => studio.sockets.delete(socket)));
        onCall(socket, studio.heads.push(head), head);
      });
      kept.defer(() => {
        for (const socket of studio.sockets) socket.destroy();
        listening.close();
      });
      const at = portOf(listening);
      return { ...studio, port: at, id: list(`http://127.0.0.1:${at}${path}`) };
    },
    radio(streamId, { who = `radio ${(radios += 1)}`, variant = 'c', ...asked } = {}) {
      const facts = { streamId, variant, who: keys.whoOf(who), format: 'mp3' } as const;
      return new Radio(port, keys.sign(facts, Date.now() + 3_600_000), asked);
    },
    gauge,
    async untilNobodyListens() {
      for (let tries = 0; (await gauge('relay_listeners')) > 0; tries += 1) {
        assert.ok(tries < 1200, 'somebody listens still');
        await sleep(50);
      }
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

const streamAt = (
  id: number,
  address: string | undefined,
  format: StreamToRelay['format'],
): StreamToRelay | undefined =>
  address === undefined
    ? undefined
    : {
        id,
        address,
        format,
        bitrate: 64,
        verdict: null,
        station_id: 1,
        relay: null,
        station_name: 'Harbour',
      };

async function listen(onRequest: (socket: Socket, head: string) => void): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (bytes) => onRequest(socket, bytes.toString('latin1')));
  });
  server.listen(0, '127.0.0.1', 2048);
  await once(server, 'listening');
  return server;
}

const STEP_MS = 100;

/** Sends numbered frames as long as they last, after some seconds at once; gives how to stop. */
export function broadcast(socket: Socket, first: number, { burstMs = 4000, speed = 1 } = {}): () => void {
  const startMs = performance.now();
  let sent = 0;
  const send = (): void => {
    const due = Math.floor((burstMs + speed * (performance.now() - startMs)) / FRAME_MS);
    if (due > sent && socket.writableLength < 1000 * FRAME_BYTES)
      socket.write(framesFrom(first + sent, due - sent));
    sent = due;
  };
  send();
  const timer = setInterval(send, STEP_MS);
  const stop = (): void => clearInterval(timer);
  socket.on('close', stop);
  return stop;
}
