import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SerialMemory } from '../../../core/devices/serial-memory.ts';
import type { HttpContext } from '../../../net/http/exchange.ts';
import { type Peer, readPeer } from '../../../net/http/caller/peer.ts';
import { respond } from '../../../net/http/respond.ts';
import { Refusal } from '../../../lib/fault.ts';
import { type FindPartner, geoIpOf } from './caller.ts';
import { HotCall } from './hot-call.ts';
import type { HotAnswer, HotMenu, HotPage } from './hot-page.ts';
import { filledIn } from './menu-cache.ts';
import type { NoteCall } from './note-call.ts';

interface HotContext {
  serials: SerialMemory;
  findPartner?: FindPartner | undefined;
  noteCall?: NoteCall | undefined;
  /** Set where caches that we trust are told who calls, which is found out on the long way. */
  tellEdge?: unknown;
}

/** With what is the same in every device's address. */
interface DeviceAddress {
  shared: string;
  serial: string;
}

const MAX_ADDRESS_LENGTH = 300;
/** Besides the bytes that are sent: the address, what it was read as, and what has to be the same. */
const BYTES_AN_ENTRY = 2000;
const MAX_BODY_BYTES = 64 * 1024;
const MAX_MENUS = 500;
const SERIAL = /[?&]serial=([\w-]{1,64})(?=&|$)/;

/** An address apart from its serial, if that is where everybody has it and is written as it is repeated. */
export function deviceAddress(url: string): DeviceAddress | undefined {
  const found = SERIAL.exec(url);
  const serial = found?.[1];
  if (!found || serial === undefined) return undefined;
  const start = found.index + '?serial='.length;
  return { shared: `${url.slice(0, start)}*${url.slice(start + serial.length)}`, serial };
}

/**
 * Pages by the whole address as it came, for applications whose users all ask the same, and for devices that differ by
 * their serial alone: without reading the parameters again and without looking for the menu, which takes half as long as
 * the whole answer of a bare server. All else is as in any call: limits, metrics, notes. Nothing is kept that names anybody.
 */
export class HotAnswers {
  readonly #context: HttpContext;
  readonly #calls: HotContext;
  readonly #maxBytes: number;
  readonly #answers = new Map<string, HotAnswer>();
  /** Of devices, by address with `*` for the serial; their bytes are those of the menu cache. */
  readonly #menus = new Map<string, HotMenu>();
  #bytes = 0;
  #hits = 0;
  #misses = 0;

  /** Zero bytes disable it. */
  constructor(context: HttpContext, calls: HotContext, maxBytes: number) {
    this.#context = context;
    this.#calls = calls;
    this.#maxBytes = maxBytes;
  }

  /** False where the call has to be read; throws what the limits refuse. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { url = '' } = request;
    const hot = this.#answers.get(url);
    if (this.#calls.tellEdge !== undefined || !this.#isPlain()) return false;
    if (hot) return this.#answerAny(hot, request, response);
    const address = this.#menus.size > 0 ? deviceAddress(url) : undefined;
    const menu = address && this.#menus.get(address.shared);
    return menu ? this.#answerDevice(menu, address, request, response) : false;
  }

  /** Whether there is a page for this address, for whatever host and language: the first ones have it. */
  has(url: string): boolean {
    const address = this.#answers.has(url) ? undefined : deviceAddress(url);
    const page = address ? this.#menus.get(address.shared) : this.#answers.get(url);
    return page?.watch.isCurrent() === true && page.watch.isSame?.() !== false;
  }

  /** Keeps an answer for all; the oldest makes room for it. */
  keep(url: string, hot: HotAnswer): void {
    const size = sizeOf(hot);
    if (url.length > MAX_ADDRESS_LENGTH || size > Math.min(MAX_BODY_BYTES, this.#maxBytes)) return;
    this.#forget(url);
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes + size <= this.#maxBytes) break;
      this.#forget(oldest);
    }
    this.#answers.set(url, hot);
    this.#bytes += size;
  }

  /** Keeps a menu for the devices of a partner. */
  keepMenu(shared: string, menu: HotMenu): void {
    if (shared.length > MAX_ADDRESS_LENGTH || this.#maxBytes === 0) return;
    if (this.#menus.size >= MAX_MENUS) this.#menus.clear();
    this.#menus.set(shared, menu);
  }

  /** For the metrics. */
  use(): { hits: number; misses: number; entries: number; bytes: number; maxBytes: number } {
    const entries = this.#answers.size + this.#menus.size;
    return {
      hits: this.#hits,
      misses: this.#misses,
      entries,
      bytes: this.#bytes,
      maxBytes: this.#maxBytes,
    };
  }

  #answerAny(hot: HotAnswer, request: IncomingMessage, response: ServerResponse): boolean {
    const startMs = this.#context.clock.elapsedMs();
    const peer = readPeer(request, this.#context.network);
    if (!this.#isFor(hot, peer, request)) {
      this.#misses += 1;
      if (!this.#isValid(hot)) this.#forget(request.url ?? '');
      if (!hot.watch.isCurrent()) this.#forgetAll();
      return false;
    }
    const call = new HotCall(hot, peer.address, request.headers);
    this.#admit(call);
    respond(request, response, { ...hot.reply, body: hot.body });
    this.#note(hot, call, startMs);
    return true;
  }

  #answerDevice(
    hot: HotMenu,
    { shared, serial }: DeviceAddress,
    request: IncomingMessage,
    response: ServerResponse,
  ): boolean {
    const startMs = this.#context.clock.elapsedMs();
    const peer = readPeer(request, this.#context.network);
    const menu = hot.menu.deref();
    if (!menu || !this.#isFor(hot, peer, request)) {
      this.#misses += 1;
      if (!menu || !this.#isValid(hot)) this.#menus.delete(shared);
      if (!hot.watch.isCurrent()) this.#forgetAll();
      return false;
    }
    const { serials } = this.#calls;
    const serialKey = serials.keyOf(`${hot.reading.globals.partnerId} ${serial}`);
    if (!hot.savesNothing(serialKey)) return false;
    const call = new HotCall(hot, peer.address, request.headers, { serial, serialKey, serials });
    this.#admit(call);
    const [before, after] = hot.suffix;
    respond(request, response, { ...hot.reply, body: filledIn(menu, before + serial + after) });
    this.#note(hot, call, startMs);
    return true;
  }

  /** Throws what the limits refuse, which is noted: the owner of a radio that calls too often is told so. */
  #admit(call: HotCall): void {
    const { securityIp, partner } = call.caller;
    try {
      this.#context.rateLimit?.(securityIp, partner);
    } catch (error) {
      if (error instanceof Refusal) {
        const { status, code, message: text } = error;
        this.#calls.noteCall?.(call, { status, code, text, atMs: this.#context.clock.epochMs() });
      }
      throw error;
    }
  }

  #note({ outcome }: HotPage, call: HotCall, startMs: number): void {
    const { clock, metrics } = this.#context;
    this.#hits += 1;
    metrics.observe(outcome, (clock.elapsedMs() - startMs) / 1000);
    this.#calls.noteCall?.(call, { status: outcome.opmlStatus, atMs: clock.epochMs() });
  }

  /** Neither overloaded nor about to stop, and no call is traced or logged. */
  #isPlain(): boolean {
    const { capacity, readiness, traces, log } = this.#context;
    return capacity.inUse < capacity.max && !readiness.isDraining && !traces && !log.isLevelEnabled('debug');
  }

  #isFor(hot: HotPage, peer: Peer, { headers }: IncomingMessage): boolean {
    const { acceptLanguage, origin, watch, partner } = hot;
    if (acceptLanguage !== null && acceptLanguage !== headers['accept-language']) return false;
    if (origin !== peer.origin || !this.#isValid(hot)) return false;
    return watch.isNear === undefined || watch.isNear(geoIpOf(peer, partner));
  }

  #isValid({ watch, reading: { globals }, partner }: HotPage): boolean {
    if (!watch.isCurrent() || watch.isSame?.() === false) return false;
    return globals.partnerId === undefined || this.#calls.findPartner?.(globals.partnerId) === partner;
  }

  /** What is no longer current for one page is so for no other. */
  #forgetAll(): void {
    this.#answers.clear();
    this.#menus.clear();
    this.#bytes = 0;
  }

  #forget(url: string): void {
    const hot = this.#answers.get(url);
    if (hot) this.#bytes -= sizeOf(hot);
    this.#answers.delete(url);
  }
}

const sizeOf = ({ body }: HotAnswer): number => BYTES_AN_ENTRY + body.length;
