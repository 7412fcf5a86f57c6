import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { RELAY_READY_PATH, type RelayKeys } from '../../core/streams/relay/relay-address.ts';
import { Fault } from '../../lib/fault.ts';
import { type AddressRange, plainAddress, securityAddress } from '../../net/http/caller/addresses.ts';
import { bind, portOf } from '../../net/http/listen/listen.ts';
import { TuneInFailed } from '../../net/tuner/tune-in-failed.ts';
import type { StreamToRelay } from '../../storage/catalog/streams/relayed-stream.ts';
import { type FilePart, FilePartSink, fileHead, isTagOnly, parseFileRange } from './file-part.ts';
import {
  asSent,
  letGo,
  MAX_PLAYED_OUT_MS,
  relayHead,
  RelayRefusal,
  sendText,
  typeOf,
} from './relay-answer.ts';
import { PermissionWatch } from './permission-watch.ts';
import { Admission, type AdmissionLimits, type PlaceClaim, type Place, type Places } from './admission.ts';
import { RelayListener } from './relay-listener.ts';
import { readRequestHead, type RequestHead } from './request-head.ts';
import type { HandedCall, HandedListener } from './processes/messages.ts';
import type { EndedBy } from './transmission.ts';
import { Transmissions, type TransmissionsOptions } from './transmissions.ts';

export interface RelayOptions extends TransmissionsOptions {
  keys: RelayKeys;
  findStream: (id: number) => Promise<StreamToRelay | undefined>;
  /** Whom it serves whatever they ask for. */
  isHome: (address: string) => boolean;
  /** Set where radios of partners are served too: whether an address is in the country of the relay. */
  isInCountry?: ((address: string) => boolean) | undefined;
  /** Those who may say for whom they ask. */
  trustedProxies: readonly AddressRange[];
  /** How many are taken, where it does not ask another process. */
  limits: AdmissionLimits;
  places?: Places;
  /** Gives a call to the process at which those who share that stream meet; false where it is this one. */
  passOn?: (call: HandedCall, socket: Socket) => boolean;
  /** Counts a listener until it is disposed of; one that another process has begun with is no other session. */
  count: (stationId: number, peer: string, isNew: boolean) => Disposable;
  /** Whether the host of a stream allows it. */
  isAllowed: (address: string) => Promise<boolean>;
  tickMs: number;
  /** How often what stations want is looked at while they are heard. */
  lookEveryMs?: number;
  isReady: () => boolean;
}

/** What anybody can be told thousands of times a second; made once, because every new error notes where it was made. */
const OUT_OF_THE_HOUSE = new RelayRefusal(
  '403 Forbidden',
  'address',
  'this relay serves the radios of its own house only',
);
const UNSIGNED = new RelayRefusal(
  '404 Not Found',
  'signature',
  'no such stream; ask the directory (Tune.ashx) for its address',
);

/** Answers `/r/…` with the sound of a station: fetched by us, sent on by plain HTTP/1.0, which every radio understands. */
export class RelayServer implements AsyncDisposable {
  readonly #options: RelayOptions;
  readonly #server: Server;
  readonly #places: Places;
  readonly #transmissions: Transmissions;
  readonly #sockets = new Set<Socket>();
  readonly #giving: Promise<void>[] = [];
  readonly #playing = new Map<RelayListener, Playing>();
  /** Set while another process takes the listeners over. */
  #give: GiveListener | undefined;
  #ticking: NodeJS.Timeout | undefined;
  readonly #permissions: PermissionWatch;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#places = options.places ?? new Admission(options.limits);
    this.#transmissions = new Transmissions(options, this.#places);
    const { findStream, lookEveryMs } = options;
    this.#permissions = new PermissionWatch(
      {
        findStream,
        listStreams: () => this.#playing.values().map(({ facts }) => facts.streamId),
        forbidden: (streamId) => this.#endAll(streamId),
      },
      lookEveryMs,
    );
    this.#server = createServer({ noDelay: true }, (socket) => void this.#answer(socket));
    this.#server.maxConnections = this.#maxConnections;
    // One of several processes would otherwise pass it to the others, which pass it on, for as long as all are full.
    Object.assign(this.#server, { dropMaxConnection: true });
    options.metrics.watch({ listeners: () => this.#playing.size, streams: () => this.#transmissions.size });
  }

  /** Those who are refused need a connection too. */
  get #maxConnections(): number {
    return this.#options.limits.listeners + 100;
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
  async adopt({ streamId, place: number, ...facts }: HandedListener, socket: Socket): Promise<void> {
    this.#keep(socket);
    socket.setNoDelay(true).resume();
    try {
      using place = await this.#places.adopt(number, claimOf(facts));
      refuseWithout(place);
      const stream = await this.#find(streamId);
      await this.#relay({ ...facts, stream, socket, place, isHead: false, isBegun: true });
    } catch (error) {
      this.#options.log.warn({ err: error }, 'a listener of another process could not be taken over');
      socket.destroy();
    }
  }

  /** Answers a call whose request another process has read. */
  async answer(call: HandedCall, socket: Socket): Promise<void> {
    if (this.#sockets.size >= this.#maxConnections) return void socket.destroy();
    this.#keep(socket);
    socket.setNoDelay(true).resume();
    await this.#answering(socket, async () => this.#serve(call, await this.#find(call.streamId), socket));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#ticking);
    this.#permissions[Symbol.dispose]();
    this.#transmissions.stop();
    for (const socket of this.#sockets) socket.destroy();
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }

  /** What stations have sent is read, all of it in one turn of the event loop, and in the next sent on. */
  #tick(): void {
    this.#transmissions.listen(performance.now());
    setImmediate(() => {
      this.#transmissions.tick(performance.now());
      if (this.#give) this.#giveSome(this.#give);
    });
  }

  #giveSome(give: GiveListener): void {
    let begun = 0;
    for (const [listener, { facts, sink, socket, place, end }] of this.#playing) {
      if (!listener.isLeaving && (begun += 1) <= MAX_GIVEN_A_TICK) listener.leave();
      if (!listener.hasLeft) continue;
      this.#sockets.delete(socket);
      place.passOn?.();
      end('handed over');
      this.#giving.push(give({ ...facts, file: sink?.rest, place: place.number }, socket));
    }
  }

  #endAll(streamId: number): void {
    for (const { facts, end } of this.#playing.values()) if (facts.streamId === streamId) end('forbidden');
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => this.#sockets.delete(socket));
  }

  /** By HTTP/1.0, without a length and without chunks. */
  async #answer(socket: Socket): Promise<void> {
    this.#keep(socket);
    await this.#answering(socket, async () => {
      const head = await readRequestHead(socket);
      if (!head)
        throw new RelayRefusal('400 Bad Request', 'request', 'this is no HTTP request, or a slow one');
      await this.#play(head, socket);
    });
  }

  /** With what is to be told instead of sound. */
  async #answering(socket: Socket, play: () => Promise<void>): Promise<void> {
    const { metrics, log } = this.#options;
    try {
      await play();
    } catch (error) {
      if (!(error instanceof RelayRefusal)) log.error({ err: error }, 'a listener could not be answered');
      // In the middle of the sound an answer would be noise.
      if (socket.bytesWritten > 0) return void socket.destroy();
      const refusal =
        error instanceof RelayRefusal
          ? error
          : new RelayRefusal('500 Internal Server Error', 'fault', 'an error of ours');
      metrics.refused(refusal.why);
      sendText(socket, refusal.status, refusal.message);
    }
  }

  async #play({ method, path, headers }: RequestHead, socket: Socket): Promise<void> {
    const { keys, isHome, isInCountry, isReady, trustedProxies, passOn } = this.#options;
    if (path === RELAY_READY_PATH)
      return sendText(
        socket,
        isReady() ? '200 OK' : '503 Service Unavailable',
        isReady() ? 'ready' : 'not ready',
      );
    if (method !== 'GET' && method !== 'HEAD')
      throw new RelayRefusal('405 Method Not Allowed', 'method', 'only GET and HEAD');
    const nearest = plainAddress(socket.remoteAddress ?? '');
    const peer = securityAddress(nearest, headers.get('x-forwarded-for') ?? '', trustedProxies);
    const isAtHome = isHome(peer);
    if (!isAtHome && !isInCountry) throw OUT_OF_THE_HOUSE;
    const asked = keys.read(path, Date.now());
    if (!asked) throw UNSIGNED;
    if (asked.isExpired)
      throw new RelayRefusal(
        '410 Gone',
        'expired',
        'this address was good for some time only; ask the directory (Tune.ashx) again',
      );
    if (!isAtHome && asked.partner === undefined)
      throw new RelayRefusal(
        '403 Forbidden',
        'address',
        'this address is good in the house of the relay only; ask the directory (Tune.ashx) with the id of a partner',
      );
    const { streamId, who, variant, isFile = false } = asked;
    const file = isFile ? parseFileRange(headers.get('range')) : undefined;
    if (isFile && !file)
      throw new RelayRefusal('416 Range Not Satisfiable', 'range', 'the file ends before that');
    const partner = isAtHome ? undefined : asked.partner;
    const wantsTitles = !isFile && headers.get('icy-metadata') === '1';
    const agent = headers.get('user-agent');
    const isHead = method === 'HEAD';
    const call = { streamId, who, peer, partner, agent, variant, wantsTitles, file, isHead };
    const stream = await this.#find(streamId);
    // Each with a connection of its own is served where it was taken, so that all processes have their share.
    if (this.#transmissions.isShared(stream, variant) && passOn?.(call, socket) === true)
      return void this.#sockets.delete(socket);
    await this.#serve(call, stream, socket);
  }

  async #serve(
    { isHead, ...facts }: Omit<HandedCall, 'streamId'>,
    stream: StreamToRelay,
    socket: Socket,
  ): Promise<void> {
    const { isInCountry } = this.#options;
    await this.#refuseUnwanted(stream);
    const { partner, peer } = facts;
    if (partner !== undefined && stream.relay === null && !isInCountry?.(peer))
      throw new RelayRefusal(
        '403 Forbidden',
        'country',
        'this station has not said that it may be sent abroad',
      );
    if (facts.file && isTagOnly(facts.file))
      return sendTag(asSent(stream, facts.variant), facts.file, isHead, socket);
    using place = await this.#places.take(claimOf(facts));
    refuseWithout(place);
    await this.#relay({ ...facts, stream, socket, place, isHead, isBegun: false });
  }

  /** A station that has said what it wants need not say it in robots.txt too. */
  async #refuseUnwanted({ relay, verdict, address }: StreamToRelay): Promise<void> {
    if (verdict === 'geo')
      throw new RelayRefusal(
        '403 Forbidden',
        'geo',
        'this station is for some countries only, and not sent out of them',
      );
    if (relay === 'never')
      throw new RelayRefusal('403 Forbidden', 'permission', 'this station does not want to be relayed');
    if (relay === null && !(await this.#options.isAllowed(address)))
      throw new RelayRefusal(
        '403 Forbidden',
        'robots',
        'the host of this station does not want it to be relayed: its robots.txt says so',
      );
  }

  async #find(id: number): Promise<StreamToRelay> {
    const stream = await this.#options.findStream(id).catch((error: unknown) => {
      if (error instanceof Fault)
        throw new RelayRefusal(
          '503 Service Unavailable',
          'database',
          'the directory cannot be asked just now',
        );
      throw error;
    });
    if (!stream)
      throw new RelayRefusal('404 Not Found', 'stream', 'the directory has no such stream any more');
    return stream;
  }

  /** Until the radio hangs up, or there is nothing to hear any more. */
  async #relay({ stream, socket, place, isHead, isBegun, ...facts }: Wish): Promise<void> {
    const { metrics } = this.#options;
    const { wantsTitles, file } = facts;
    const left = Promise.withResolvers<void>();
    socket.once('close', left.resolve);
    using transmission = (await this.#transmissions.of(stream, { ...facts, isBegun })).hold();
    const sent = asSent(stream, facts.variant);
    // Who heard it in another process goes on with it, also while the station is away, which is silence and not the end.
    if (!isBegun) {
      const answer = await Promise.race([transmission.begun, left.promise]).catch((error: unknown) => {
        if (!(error instanceof TuneInFailed)) throw error;
        throw new RelayRefusal('502 Bad Gateway', 'station', `the station cannot be heard: ${error.message}`);
      });
      if (socket.destroyed || !answer) return;
      if (facts.partner !== undefined && answer.isUnlisted && stream.relay === null)
        throw new RelayRefusal(
          '403 Forbidden',
          'icy-pub',
          'this station does not want to be in public lists (icy-pub: 0), and is relayed at home only',
        );
      const { contentType } = answer;
      socket.write(
        file ? fileHead(file, typeOf(sent, contentType)) : relayHead(sent, contentType, wantsTitles),
      );
    }
    if (isHead) return letGo(socket);
    const sink = file && new FilePartSink(socket, file, stream.station_name);
    const listener = new RelayListener(sink ?? socket, wantsTitles);
    const counted = this.#options.count(stream.station_id, facts.peer, !isBegun);
    const { ended, end } = isBegun ? transmission.goOn(listener) : transmission.play(listener);
    void left.promise.then(() => end('listener'));
    void sink?.finished.then(() => end('finished'));
    this.#playing.set(listener, { facts: { ...facts, streamId: stream.id }, sink, socket, place, end });
    const why = await ended;
    counted[Symbol.dispose]();
    this.#playing.delete(listener);
    metrics.ended(why, socket.bytesWritten);
    if (why === 'handed over' || why === 'finished') return;
    // Whoever does not read any more does not see the end either.
    if (why === 'station') letGo(socket, MAX_PLAYED_OUT_MS);
    else socket.destroy();
  }
}

interface Wish extends Omit<HandedListener, 'streamId' | 'place'> {
  stream: StreamToRelay;
  socket: Socket;
  place: Place;
  isHead: boolean;
  /** In another process. */
  isBegun: boolean;
}

interface Playing {
  facts: HandedListener;
  sink: FilePartSink | undefined;
  socket: Socket;
  place: Place;
  end: (why: EndedBy) => void;
}

function sendTag(stream: StreamToRelay, part: FilePart, isHead: boolean, socket: Socket): void {
  socket.write(fileHead(part, typeOf(stream)));
  if (isHead) letGo(socket);
  else new FilePartSink(socket, part, stream.station_name).finish();
}

const claimOf = ({ who, peer, partner }: Omit<HandedListener, 'streamId'>): PlaceClaim => ({
  who,
  peer,
  partner,
});

function refuseWithout({ refused }: Place): void {
  if (refused) throw new RelayRefusal('503 Service Unavailable', refused.refusal, refused.text);
}

type GiveListener = (listener: HandedListener, socket: Socket) => Promise<void>;

/** More at a time would wait for each other, and be silent for longer. */
const MAX_GIVEN_A_TICK = 200;
const MAX_HAND_OVER_MS = 120_000;
