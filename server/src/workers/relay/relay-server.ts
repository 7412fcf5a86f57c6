import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { RELAY_READY_PATH, type RelayKeys } from '../../core/streams/relay/relay-address.ts';
import { METAINT } from '../../formats/icy/join-titles.ts';
import { cleanSongText } from '../../formats/song-text.ts';
import { Fault } from '../../lib/fault.ts';
import type { Log } from '../../lib/log.ts';
import { PRODUCT } from '../../lib/version.ts';
import type { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { type AddressRange, plainAddress, securityAddress } from '../../net/http/addresses.ts';
import { bind, portOf } from '../../net/http/listen.ts';
import { TuneInFailed } from '../../net/tuner/tune-in-failed.ts';
import type { StreamToRelay } from '../../storage/catalog/streams/relayed-stream.ts';
import { Admission } from './admission.ts';
import { RelayListener } from './relay-listener.ts';
import type { RelayMetrics } from './relay-metrics.ts';
import { readRequestHead, type RequestHead } from './request-head.ts';
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

/** What is sent instead of sound. */
class Refusal extends Error {
  readonly status: string;
  readonly why: string;

  constructor(status: string, why: string, text: string) {
    super(text);
    this.status = status;
    this.why = why;
  }
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
  #listeners = 0;
  #ticking: NodeJS.Timeout | undefined;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#admission = new Admission(options.limits);
    this.#server = createServer({ noDelay: true }, (socket) => void this.#answer(socket));
    // Those who are refused need a connection too.
    this.#server.maxConnections = options.limits.listeners + 100;
    options.metrics.watch({ listeners: () => this.#listeners, streams: () => this.#transmissions.size });
  }

  async listen(port: number, host: string): Promise<number> {
    await bind(this.#server, port, host);
    this.#ticking = setInterval(() => this.#tick(), this.#options.tickMs);
    return portOf(this.#server);
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
  }

  /** By HTTP/1.0, without a length and without chunks. */
  async #answer(socket: Socket): Promise<void> {
    const { metrics, log } = this.#options;
    this.#sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => this.#sockets.delete(socket));
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
    await this.#relay({ stream, socket, isHead: method === 'HEAD', wantsTitles });
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
  async #relay({ stream, socket, isHead, wantsTitles }: Wish): Promise<void> {
    const { metrics } = this.#options;
    const left = Promise.withResolvers<void>();
    socket.once('close', left.resolve);
    using transmission = this.#transmissionOf(stream).hold();
    const contentType = await Promise.race([transmission.begun, left.promise]).catch((error: unknown) => {
      if (!(error instanceof TuneInFailed)) throw error;
      throw new Refusal('502 Bad Gateway', 'station', `the station cannot be heard: ${error.message}`);
    });
    if (socket.destroyed) return;
    socket.write(headOf(stream, contentType ?? '', wantsTitles));
    if (isHead) return void socket.end();
    const { ended, leave } = transmission.play(new RelayListener(socket, wantsTitles));
    void left.promise.then(leave);
    this.#listeners += 1;
    const why: EndedBy = await ended;
    this.#listeners -= 1;
    metrics.ended(why, socket.bytesWritten);
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

interface Wish {
  stream: StreamToRelay;
  socket: Socket;
  isHead: boolean;
  wantsTitles: boolean;
}

/** Some servers do not count clients whose name contains that of Icecast. */
const USER_AGENT = `${PRODUCT} (relay; for one listener)`;
const SHARED_USER_AGENT = `${PRODUCT} (relay; for several listeners)`;

const TYPES: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  aac: 'audio/aac',
  ogg: 'application/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  wav: 'audio/wav',
};
const IS_AUDIO = /^(?:audio\/[\w.+-]{1,40}|application\/ogg)$/i;

function headOf(stream: StreamToRelay, said = '', wantsTitles = false): string {
  const type = IS_AUDIO.test(said) ? said.toLowerCase() : (TYPES[stream.format ?? ''] ?? 'audio/mpeg');
  const lines = ['HTTP/1.0 200 OK', `Content-Type: ${type}`, 'Cache-Control: no-store', 'Connection: close'];
  // Pages of others may look into the sound, as they may into Icecast's.
  lines.push('Access-Control-Allow-Origin: *');
  // Some players open a second connection to look at a stream that has any of these without being asked.
  if (wantsTitles) {
    lines.push(`icy-name: ${latin(cleanSongText(stream.station_name))}`, `icy-metaint: ${METAINT}`);
    if (stream.bitrate > 0) lines.push(`icy-br: ${stream.bitrate}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Headers are ASCII to most players. */
const latin = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .slice(0, 100);

function sendText(socket: Socket, status: string, text: string): void {
  const body = Buffer.from(`${text}\n`);
  socket.end(
    `HTTP/1.0 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body.toString()}`,
  );
}
