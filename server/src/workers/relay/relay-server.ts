import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { RELAY_READY_PATH, type RelayKeys } from '../../core/streams/relay/relay-address.ts';
import { Fault } from '../../lib/fault.ts';
import type { Log } from '../../lib/log.ts';
import { PRODUCT } from '../../lib/version.ts';
import type { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { type AddressRange, plainAddress, securityAddress } from '../../net/http/addresses.ts';
import { bind, portOf } from '../../net/http/listen.ts';
import { TuneInFailed } from '../../net/tuner/tune-in-failed.ts';
import type { StreamToRelay } from '../../storage/catalog/streams/relayed-stream.ts';
import { Admission } from './admission.ts';
import { headOf, Refusal, sendText } from './relay-answer.ts';
import { RelayListener } from './relay-listener.ts';
import type { RelayMetrics } from './relay-metrics.ts';
import { readRequestHead, type RequestHead } from './request-head.ts';
import type { HandedListener } from './supervisor.ts';
import { type EndedBy, Transmission } from './transmission.ts';

export interface RelayOptions {
  keys: RelayKeys;
  fetcher: SafeFetcher;
  findStream: (id: number) => Promise<StreamToRelay | undefined>;
  /** Whom it serves at all. */
  isServed: (address: string) => boolean;
  /** Those who may say for whom they ask. */
  trustedProxies: readonly AddressRange[];
  limits: { listeners: number; perAddress: number };
  /** Whether those who hear the same stream share one connection to the station. */
  isShared: boolean;
  tickMs: number;
  isReady: () => boolean;
  metrics: RelayMetrics;
  log: Log;
}

/** Answers `/r/…` with the sound of a station: fetched by us, sent on by plain HTTP/1.0, which every radio understands. */
export class RelayServer implements AsyncDisposable {
  readonly #options: RelayOptions;
  readonly #server: Server;
  readonly #admission: Admission;
  readonly #transmissions = new Set<Transmission>();
  /** Those that may be joined, by the stream's id. */
  readonly #shared = new Map<number, Transmission>();
  readonly #sockets = new Set<Socket>();
  readonly #giving: Promise<void>[] = [];
  readonly #playing = new Map<RelayListener, Playing>();
  /** Set while another process takes the listeners over. */
  #give: GiveListener | undefined;
  #ticking: NodeJS.Timeout | undefined;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#admission = new Admission(options.limits);
    this.#server = createServer({ noDelay: true }, (socket) => void this.#answer(socket));
    // Those who are refused need a connection too.
    this.#server.maxConnections = options.limits.listeners + 100;
    options.metrics.watch({ listeners: () => this.#playing.size, streams: () => this.#transmissions.size });
  }

  async listen(port: number, host: string): Promise<number> {
    await bind(this.#server, port, host);
    this.#ticking = setInterval(() => this.#tick(), this.#options.tickMs);
    return portOf(this.#server);
  }

  /** Gives every listener to another process, some at a time, and takes no further calls. */
  async handOver(give: GiveListener): Promise<void> {
    this.#server.close();
    this.#give = give;
    const endMs = performance.now() + MAX_HAND_OVER_MS;
    while (this.#sockets.size > 0 && performance.now() < endMs) await sleep(this.#options.tickMs);
    await Promise.allSettled(this.#giving);
  }

  /** Takes over a listener in the middle of the sound. */
  async adopt({ streamId, who, peer, wantsTitles }: HandedListener, socket: Socket): Promise<void> {
    this.#keep(socket);
    socket.setNoDelay(true).resume();
    try {
      const stream = await this.#find(streamId);
      using place = this.#admission.take(who, peer);
      if (place.refusal === undefined)
        await this.#relay({ stream, socket, who, peer, wantsTitles, isHead: false, isBegun: true });
    } catch (error) {
      this.#options.log.warn({ err: error }, 'a listener of another process could not be taken over');
    }
    socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#ticking);
    for (const transmission of this.#transmissions) transmission.stop();
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #tick(): void {
    const nowMs = performance.now();
    let received = 0;
    for (const transmission of this.#transmissions) {
      transmission.tick(nowMs);
      received += transmission.takeReceived();
    }
    if (received > 0) this.#options.metrics.received(received);
    if (this.#give) this.#giveSome(this.#give);
  }

  #giveSome(give: GiveListener): void {
    let begun = 0;
    for (const [listener, { facts, socket, end }] of this.#playing) {
      if (!listener.isLeaving && (begun += 1) <= MAX_GIVEN_A_TICK) listener.leave();
      if (!listener.hasLeft) continue;
      this.#sockets.delete(socket);
      end('handed over');
      this.#giving.push(give(facts, socket));
    }
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => this.#sockets.delete(socket));
  }

  /** By HTTP/1.0, without a length and without chunks. */
  async #answer(socket: Socket): Promise<void> {
    const { metrics, log } = this.#options;
    this.#keep(socket);
    try {
      const head = await readRequestHead(socket);
      if (!head) throw new Refusal('400 Bad Request', 'request', 'this is no HTTP request, or a slow one');
      await this.#play(head, socket);
    } catch (error) {
      if (!(error instanceof Refusal)) log.error({ err: error }, 'a listener could not be answered');
      // In the middle of the sound an answer would be noise.
      if (socket.bytesWritten > 0) return void socket.destroy();
      const refusal =
        error instanceof Refusal
          ? error
          : new Refusal('500 Internal Server Error', 'fault', 'an error of ours');
      metrics.refused(refusal.why);
      sendText(socket, refusal.status, refusal.message);
    }
  }

  async #play({ method, path, headers }: RequestHead, socket: Socket): Promise<void> {
    const { keys, isServed, isReady, trustedProxies } = this.#options;
    if (path === RELAY_READY_PATH)
      return sendText(
        socket,
        isReady() ? '200 OK' : '503 Service Unavailable',
        isReady() ? 'ready' : 'not ready',
      );
    if (method !== 'GET' && method !== 'HEAD')
      throw new Refusal('405 Method Not Allowed', 'method', 'only GET and HEAD');
    const nearest = plainAddress(socket.remoteAddress ?? '');
    const peer = securityAddress(nearest, headers.get('x-forwarded-for') ?? '', trustedProxies);
    if (!isServed(peer))
      throw new Refusal('403 Forbidden', 'address', 'this relay serves the radios of its own house only');
    const asked = keys.read(path, Date.now());
    if (!asked)
      throw new Refusal(
        '404 Not Found',
        'signature',
        'no such stream; ask the directory (Tune.ashx) for its address',
      );
    if (asked.isExpired)
      throw new Refusal(
        '410 Gone',
        'expired',
        'this address was good for some time only; ask the directory (Tune.ashx) again',
      );
    const stream = await this.#find(asked.streamId);
    using place = this.#admission.take(asked.who, peer);
    if (place.refusal !== undefined) throw new Refusal('503 Service Unavailable', place.refusal, place.text);
    const wantsTitles = headers.get('icy-metadata') === '1';
    const wish = { stream, socket, who: asked.who, peer, wantsTitles, isBegun: false };
    await this.#relay({ ...wish, isHead: method === 'HEAD' });
  }

  async #find(id: number): Promise<StreamToRelay> {
    const stream = await this.#options.findStream(id).catch((error: unknown) => {
      if (error instanceof Fault)
        throw new Refusal('503 Service Unavailable', 'database', 'the directory cannot be asked just now');
      throw error;
    });
    if (!stream) throw new Refusal('404 Not Found', 'stream', 'the directory has no such stream any more');
    return stream;
  }

  /** Until the radio hangs up, or there is nothing to hear any more. */
  async #relay({ stream, socket, who, peer, wantsTitles, isHead, isBegun }: Wish): Promise<void> {
    const { metrics } = this.#options;
    const left = Promise.withResolvers<void>();
    socket.once('close', left.resolve);
    using transmission = this.#transmissionOf(stream).hold();
    const contentType = await Promise.race([transmission.begun, left.promise]).catch((error: unknown) => {
      if (!(error instanceof TuneInFailed)) throw error;
      throw new Refusal('502 Bad Gateway', 'station', `the station cannot be heard: ${error.message}`);
    });
    if (socket.destroyed) return;
    if (!isBegun) socket.write(headOf(stream, contentType ?? '', wantsTitles));
    if (isHead) return void socket.end();
    const listener = new RelayListener(socket, wantsTitles);
    const { ended, end } = isBegun ? transmission.goOn(listener) : transmission.play(listener);
    void left.promise.then(() => end('listener'));
    this.#playing.set(listener, { facts: { streamId: stream.id, who, peer, wantsTitles }, socket, end });
    const why = await ended;
    this.#playing.delete(listener);
    metrics.ended(why, socket.bytesWritten);
    if (why === 'handed over') return;
    socket.end();
    // Whoever does not read any more does not see the end either.
    if (why !== 'station') socket.destroy();
  }

  #transmissionOf(stream: StreamToRelay): Transmission {
    const { fetcher, isShared, metrics, log } = this.#options;
    const running = this.#shared.get(stream.id);
    if (running && !running.isStopped) return running;
    const made = new Transmission({
      fetcher,
      address: stream.address,
      headers: ['Via: 1.0 longwave'],
      userAgent: isShared ? SHARED_USER_AGENT : USER_AGENT,
      isShared,
      watch: {
        missed: () => metrics.missed(),
        lost: (reason) => {
          metrics.reconnected();
          log.info({ stream: stream.id, reason }, 'a station is lost, and called again');
        },
      },
    });
    this.#transmissions.add(made);
    if (isShared) this.#shared.set(stream.id, made);
    void this.#run(stream.id, made);
    return made;
  }

  async #run(id: number, transmission: Transmission): Promise<void> {
    await transmission.run();
    this.#transmissions.delete(transmission);
    if (this.#shared.get(id) === transmission) this.#shared.delete(id);
  }
}

interface Wish extends Omit<HandedListener, 'streamId'> {
  stream: StreamToRelay;
  socket: Socket;
  isHead: boolean;
  /** In another process. */
  isBegun: boolean;
}

interface Playing {
  facts: HandedListener;
  socket: Socket;
  end: (why: EndedBy) => void;
}

type GiveListener = (listener: HandedListener, socket: Socket) => Promise<void>;

/** More at a time would wait for each other, and be silent for longer. */
const MAX_GIVEN_A_TICK = 200;
const MAX_HAND_OVER_MS = 120_000;

/** Some servers do not count clients whose name contains that of Icecast. */
const USER_AGENT = `${PRODUCT} (relay; for one listener)`;
const SHARED_USER_AGENT = `${PRODUCT} (relay; for several listeners)`;
