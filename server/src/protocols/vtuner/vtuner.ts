import { LRUCache } from 'lru-cache';
import type { DeviceDiary } from '../../core/accounts/devices/device-diary.ts';
import type { Radios } from '../../core/devices/radios.ts';
import type { DiaryCall } from '../../core/devices/recent-calls.ts';
import { snapshotName } from '../../core/directory/snapshot/snapshot.ts';
import { Finder } from '../../core/search/finder.ts';
import type { StationStreams } from '../../core/streams/station-streams.ts';
import { Fault } from '../../lib/fault.ts';
import { type FileAnswer, type FileCall, fileEndpoint } from '../../net/http/endpoints/file-endpoint.ts';
import type { Protocol } from '../../net/http/server.ts';
import { PROFILE } from './families.ts';
import { Favourites, type FavouriteDeps, SERIAL_SCOPE } from './favourites.ts';
import { messagePage } from './lines.ts';
import { type MenuDeps, Menus } from './menus.ts';
import { type Page, writePage } from './page.ts';
import { type RadioRequest, readRadioRequest } from './read-request.ts';
import { RadioItems } from './radio-items.ts';
import { RadioStreams } from './station-streams.ts';

export interface VtunerDeps extends FavouriteDeps, Pick<MenuDeps, 'directory' | 'db' | 'aliases' | 'places'> {
  streams: StationStreams;
  /** Of everything that calls, for the operator. */
  radios?: Pick<Radios, 'note'> | undefined;
  /** Of the radios of accounts, for their owners. */
  diary?: Pick<DeviceDiary, 'note'> | undefined;
}

/** Menus come from memory; searches and favourites wait for the database. */
const MAX_CONCURRENCY = 100;
/** Of pages that nothing but the directory and the family of the radio decides about. */
const KEPT_BYTES = 8 * 2 ** 20;

/** The protocol of radios made for vTuner, and of Frontier radios before airable. */
export function vtuner(deps: VtunerDeps): Protocol {
  const radios = new VtunerRadios(deps);
  return fileEndpoint({
    path: '/setupapp/*',
    maxConcurrency: MAX_CONCURRENCY,
    answer: (call) => radios.answer(call),
  });
}

/**
 * The radio mixes it with its hardware address and sends the result as `mac` from then on. It never changes: with another one
 * every radio would be a stranger. Nothing around it, not even a line end.
 */
const TOKEN = htmlReply(Buffer.from('<EncryptedToken>6c6f6e6777617665</EncryptedToken>'));

class VtunerRadios {
  readonly #deps: VtunerDeps;
  readonly #menus: Menus;
  readonly #items: RadioItems;
  readonly #favourites: Favourites;
  readonly #kept = new LRUCache<string, FileAnswer>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ body }) => body.length,
  });

  constructor(deps: VtunerDeps) {
    this.#deps = deps;
    const streams = new RadioStreams(deps.streams);
    this.#favourites = new Favourites(deps);
    const shared = { ...deps, streams, favourites: this.#favourites };
    this.#menus = new Menus({ ...shared, finder: new Finder(deps.db) });
    this.#items = new RadioItems(shared);
  }

  answer(call: FileCall): FileAnswer | Promise<FileAnswer> {
    const request = readRadioRequest(call);
    const { params } = request;
    const isLogin = /^(?:login|signin)/.test(request.page);
    // Without the database: radios do not wait for it, and give up altogether.
    if (isLogin && params.has('token') && !params.has('mac')) return TOKEN;
    if (isPlayed(request)) return this.#play(request, call);
    if (request.page === 'mac_check') return htmlReply(Buffer.from('OK'));
    const name = isLogin || request.page === 'bestxml' ? '' : folderNamed(request);
    if (name !== undefined) return this.#folder(name, request, call);
    return this.#page(request, call);
  }

  #folder(name: string, request: RadioRequest, call: FileCall): FileAnswer {
    const { words, family, origin, folder, offset, limit, isPaged } = request;
    const state = snapshotName(this.#deps.directory.current());
    const key = `${state} ${words.language} ${family.id} ${call.peer.scheme} ${origin}${folder} ${offset} ${limit} ${isPaged} ${name}`;
    const kept = this.#kept.get(key);
    this.#note(request, call, `menu ${name === '' ? 'root' : name}`);
    if (kept) return kept;
    const { page, isForAll } = this.#menus.folder(name, request, call);
    const answer = pageReply(page, request);
    if (isForAll) this.#kept.set(key, answer);
    return answer;
  }

  /** A refusal is a page too: many radios stop at any other status than 200. */
  async #page(request: RadioRequest, call: FileCall): Promise<FileAnswer> {
    try {
      const page = await this.#make(request, call);
      this.#note(request, call, request.page);
      return pageReply(page, request);
    } catch (error) {
      if (!(error instanceof Fault) || error.status >= 500) throw error;
      this.#note(request, call, request.page, error);
      return pageReply(messagePage(error.message, request), request);
    }
  }

  async #make(request: RadioRequest, call: FileCall): Promise<Page> {
    const { page, params, words } = request;
    const text = params.get('search') ?? '';
    const named = params.get('gofile') ?? '';
    const continued = /^search-(\d{1,9})-(.+)$/s.exec(named);
    switch (page) {
      case 'navxml':
        if (continued) return this.#menus.search(continued[2]!, request, call, Number(continued[1]));
        return this.#link(request, call);
      case 'search': {
        const type = params.get('ssearchtype') ?? '';
        if (type === '3' || type === '5') return this.#items.page(text, request, call, { isFound: true });
        return this.#menus.search(text, request, call);
      }
      case 'statxml':
        return this.#items.page(params.get('id') ?? '', request, call);
      case 'getshowxml':
        return this.#items.episodes(params.get('showid') ?? params.get('id') ?? '', request);
      case 'favxml':
      case 'afavxml':
        return this.#menus.favourites(request, call);
      case 'addfav':
        return this.#items.save(request, call);
      case 'removefavs':
        return this.#items.remove(request);
      case 'help':
        return messagePage(`Longwave ${request.origin}/listen/`, request);
      default:
        return messagePage(words.text('browse.nothing'), request);
    }
  }

  /** The same rule as for a claim of the RadioTime protocol. */
  async #link(request: RadioRequest, call: FileCall): Promise<Page> {
    if (!this.#favourites.isLinkable(call.peer.scheme === 'https'))
      throw new Fault(
        403,
        'request.insecure',
        'Radios are linked over HTTPS, or at home (LEGACY_CREDENTIALS)',
      );
    return messagePage(await this.#favourites.linkingText(request, call.peer.address), request);
  }

  /** To the sound. It is a player that asks here, so a refusal has its own status. */
  async #play(request: RadioRequest, call: FileCall): Promise<FileAnswer> {
    const id = request.params.get('id') ?? /^(\w+)\.\w+$/.exec(request.page)?.[1] ?? '';
    try {
      const { address, stationId } = await this.#items.sound(id, request, call);
      this.#note(request, call, `Tune ${stationId}`);
      return request.page === 'dynampls' ? playlistReply(address) : { ...REDIRECT, location: address };
    } catch (error) {
      if (error instanceof Fault && error.status < 500) {
        const shown = await this.#items.shownId(id);
        this.#note(request, call, `Tune ${shown}`, error);
      }
      throw error;
    }
  }

  #note(request: RadioRequest, call: FileCall, what: string, fault?: Fault): void {
    const { radios, diary } = this.#deps;
    const { mac } = request;
    const { peer, headers, now } = call;
    const made = (): DiaryCall => ({
      at: now.epochMilliseconds,
      what: what.startsWith('Tune ') ? what : `vTuner ${what.replaceAll(/[^ \w-]/g, '').slice(0, 30)}`,
      status: fault?.status ?? 200,
      code: fault?.code,
      answer: fault?.message.slice(0, 300),
    });
    const userAgent = headers['user-agent'];
    radios?.note({ address: peer.address, partnerId: undefined, userAgent, profile: () => PROFILE.id }, made);
    if (mac !== undefined)
      diary?.note({
        scope: SERIAL_SCOPE,
        serial: mac,
        partnerId: 'vtuner',
        profile: PROFILE.id,
        call: { ...made(), query: request.params.get('search')?.slice(0, MAX_QUERY_LENGTH) },
      });
  }
}

/** Of what a radio searched for, as its owner sees it. */
const MAX_QUERY_LENGTH = 60;

/** The name of a folder, where the page is one of those that need nothing but the directory. */
function folderNamed({ page, params }: RadioRequest): string | undefined {
  const name = params.get('gofile') ?? '';
  return page === 'navxml' && name !== 'link' && !/^search-\d/.test(name) ? name : undefined;
}

const isPlayed = ({ page, isFunction }: RadioRequest): boolean =>
  page === 'dynamod' || page === 'dynampls' || (isFunction && /^\w+\.\w+$/.test(page));

const NO_STORE = { noStore: true } as const;

const pageReply = (page: Page, { family }: RadioRequest): FileAnswer => htmlReply(writePage(page, family));

/** As what the directory sent that these radios were made for. */
function htmlReply(body: Buffer): FileAnswer {
  return {
    status: 200,
    contentType: 'text/html',
    body,
    lifetime: { noStore: true },
    close: true,
    ownHeaders: [],
  };
}

const REDIRECT = {
  status: 302,
  contentType: 'text/plain; charset=utf-8',
  body: Buffer.alloc(0),
  lifetime: NO_STORE,
  close: true,
} as const;

const playlistReply = (address: string): FileAnswer => ({
  status: 200,
  contentType: 'audio/x-mpegurl',
  body: Buffer.from(`${address}\n`),
  lifetime: NO_STORE,
  close: true,
});
