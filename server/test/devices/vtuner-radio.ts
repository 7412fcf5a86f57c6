import type { Menu, RadioModel } from './radio-model.ts';
import { type ReaderTraits, readVtunerPage, type VtunerEntry, type VtunerPage } from './vtuner-reader.ts';

/** What a model does on the wire. */
export interface VtunerTraits {
  name: string;
  /** The name built into it. */
  host: string;
  brand: string;
  folder: string;
  firmware: string;
  language: string;
  userAgent: string | undefined;
  /** How it asks for a window, and how many at once. `ends`: the first, then the last, then overlapping ones. */
  paging:
    | { first: string; last: 'count' | 'end'; lastName: string; size: number; order: 'forward' | 'ends' }
    | undefined;
  /** `proxy`: an absolute request line. `slashes`: two in front. `glued`: the question mark of the login is lost. */
  requests: 'plain' | 'proxy' | 'slashes-and-glued';
  /** Which redirects it follows to a stream: none, any one, or within the host it knows, by 302. */
  redirects: 'none' | 'one' | 'own-host';
  /** It asks for a station by its id before it plays it. */
  asksById: boolean;
  /** What it keeps of a station in its own memory. */
  remembers: 'id' | 'searched id' | 'address';
  reader: ReaderTraits;
}

export interface DeviceAnswer {
  status: number;
  /** Names in lower case. */
  headers: ReadonlyMap<string, string>;
  body: Buffer;
}

/** Sends a request line's target and headers as they are. */
export type SendRequest = (
  target: string,
  headers: Readonly<Record<string, string>>,
) => Promise<DeviceAnswer>;

const OWN_MAC = '0123456789ABCDEF';
const FORBIDDEN_HEADERS = [
  'transfer-encoding',
  'content-encoding',
  'set-cookie',
  'strict-transport-security',
];

/** A radio of the vTuner or Frontier kind. */
export class VtunerRadio implements RadioModel<VtunerEntry> {
  readonly #traits: VtunerTraits;
  readonly #send: SendRequest;
  readonly #serial: string;
  #mac = '';
  #root: VtunerPage | undefined;

  constructor(traits: VtunerTraits, send: SendRequest, serial = OWN_MAC) {
    this.#traits = traits;
    this.#send = send;
    this.#serial = serial;
  }

  get name(): string {
    return this.#traits.name;
  }

  /** What it sends as `mac` once it has a token. */
  get mac(): string {
    return this.#mac;
  }

  async boot(): Promise<Menu<VtunerEntry>> {
    const { host } = this.#traits;
    const login = `http://${host}${this.#path('loginXML.asp')}`;
    const token = await this.#get(`${login}?token=0`);
    const [, digits = ''] =
      /^<EncryptedToken>([0-9a-f]{16})<\/EncryptedToken>$/.exec(token.body.toString('latin1')) ??
      fail('it waits for its token');
    if (token.headers.get('content-type') !== 'text/html') fail('the token is no text/html');
    this.#mac = Buffer.from(this.#serial + digits, 'latin1')
      .toString('hex')
      .slice(0, 40);
    const question = this.#traits.requests === 'slashes-and-glued' ? '' : '?gofile=&';
    const page = await this.#page(`${login}${question}${this.#parameters()}${this.#window(0)}`, false, true);
    this.#root = page;
    return menuOf(page);
  }

  async open(entry: VtunerEntry): Promise<Menu<VtunerEntry>> {
    return menuOf(await this.#page(this.#followed(linkOf(entry)) + this.#window(0)));
  }

  async openWhole(entry: VtunerEntry): Promise<Menu<VtunerEntry>> {
    return this.#whole(this.#followed(linkOf(entry)));
  }

  async search(text: string): Promise<Menu<VtunerEntry>> {
    const box = this.#root?.entries.find(({ kind }) => kind === 'search') ?? fail('no search');
    const url = box.elements.get('SearchURL') ?? '';
    const typed = this.#traits.reader.encoding === 'latin1' ? latin1Escaped(text) : encodeURIComponent(text);
    return menuOf(await this.#page(`${url}&search=${typed}&${this.#parameters()}${this.#window(0)}`));
  }

  async play(entry: VtunerEntry): Promise<string> {
    if (this.#traits.asksById) return this.playId(entry.id);
    return this.#sound(entry.elements.get('StationUrl') ?? entry.elements.get('ShowEpisodeURL') ?? '');
  }

  /** By a model that asks for stations by their ids. */
  async playId(id: string): Promise<string> {
    const { elements } = await this.#byId(id);
    return this.#sound(elements.get('StationUrl') ?? elements.get('ShowEpisodeURL') ?? '');
  }

  async save(entry: VtunerEntry): Promise<string> {
    const url = entry.elements.get('Bookmark') ?? entry.elements.get('BookmarkShow') ?? '';
    const { entries } = await this.#page(this.#followed(url));
    const [message] = entries;
    return message?.type === 'Message' ? message.title : fail('no message');
  }

  async favourites(): Promise<Menu<VtunerEntry>> {
    const entry = this.#root?.entries.find(({ elements }) => elements.get('UrlDir')?.includes('/FavXML.asp'));
    return this.openWhole(entry ?? fail('no favourites'));
  }

  async recall(entry: VtunerEntry): Promise<string> {
    const { remembers } = this.#traits;
    if (remembers === 'address') return this.#sound(entry.elements.get('StationUrl') ?? '');
    const station = remembers === 'searched id' ? await this.#byId(entry.id) : await this.#station(entry.id);
    return this.#sound(station.elements.get('StationUrl') ?? '');
  }

  /** What `statxml.asp` says of an id, which may be one of the directory that is gone. */
  async #station(id: string): Promise<VtunerEntry> {
    const { host } = this.#traits;
    const url = `http://${host}${this.#path('statxml.asp')}?id=${id}&${this.#parameters()}`;
    const { entries, count, previous } = await this.#page(url, true, true);
    const [station] = entries;
    if (entries.length !== 1 || station?.type !== 'Station' || (count ?? 1) !== 1 || previous !== undefined)
      fail(`${id} is not a station: ${station?.title}`);
    return station!;
  }

  /** The address is the radio's own, at the host it knows. */
  async #byId(id: string): Promise<VtunerEntry> {
    const { host } = this.#traits;
    const url = `http://${host}${this.#path('Search.asp')}?sSearchtype=3&Search=${id}&${this.#parameters()}`;
    const { entries, previous } = await this.#page(url, true);
    const [station] = entries;
    if (entries.length !== 1 || station?.type !== 'Station' || previous === undefined)
      fail(`${id} is not a station: ${station?.title}`);
    return station!;
  }

  /** To the first address that is not the directory's. */
  async #sound(address: string): Promise<string> {
    const { host, redirects } = this.#traits;
    const url = new URL(address);
    if (url.hostname !== host || url.port !== '') return address;
    if (redirects === 'none') fail(`${address} is none of a stream, and it follows no redirect`);
    const { status, headers } = await this.#request(address, false);
    if (status !== 302) fail(`${address} answered ${status}`);
    const target = headers.get('location') ?? '';
    if (redirects === 'own-host' && new URL(target).hostname !== host)
      fail(`it does not follow to ${target}`);
    return target;
  }

  async #whole(url: string): Promise<Menu<VtunerEntry>> {
    const { paging } = this.#traits;
    const first = await this.#page(url + this.#window(0));
    if (!paging) return menuOf(first);
    const byPlace = new Map(first.entries.map((entry, place) => [place, entry]));
    if (paging.order === 'forward') await this.#readOn(url, first, byPlace, paging.size);
    else await this.#readEnds(url, first, byPlace, paging.size);
    const entries = [...byPlace].toSorted(([a], [b]) => a - b).map(([, entry]) => entry);
    if (first.count !== undefined && entries.length !== first.count)
      fail(`${entries.length} items of ${first.count} in ${url}`);
    return { total: first.count, entries };
  }

  /** Until as many are there as were promised; without a promise, until a window is not full. */
  async #readOn(
    url: string,
    first: VtunerPage,
    found: Map<number, VtunerEntry>,
    size: number,
  ): Promise<void> {
    let page = first;
    while (page.count === undefined ? page.entries.length === size : found.size < page.count) {
      const from = found.size;
      page = await this.#page(url + this.#window(from));
      for (const [place, entry] of page.entries.entries()) found.set(from + place, entry);
      if (page.entries.length === 0 && page.count !== undefined) fail(`nothing from ${from} on in ${url}`);
    }
  }

  /** The first ones, the last ones, then windows that overlap; the same line must stand at the same place in all of them. */
  async #readEnds(
    url: string,
    first: VtunerPage,
    found: Map<number, VtunerEntry>,
    size: number,
  ): Promise<void> {
    const count = first.count ?? 0;
    const starts = [Math.max(0, count - size)];
    for (let from = size / 2; from < count; from += size / 2) starts.push(from);
    for (const from of starts) {
      const { entries } = await this.#page(url + this.#window(from));
      for (const [place, entry] of entries.entries()) {
        const known = found.get(from + place);
        if (known && known.title !== entry.title)
          fail(`line ${from + place} is ${known.title} and ${entry.title}`);
        found.set(from + place, entry);
      }
    }
  }

  #path(file: string): string {
    const { brand, folder } = this.#traits;
    return `/setupapp/${brand}/asp/${folder}/${file}`;
  }

  #parameters(): string {
    const { language, firmware } = this.#traits;
    return `mac=${this.#mac}&dlang=${language}&fver=${firmware}`;
  }

  #window(from: number): string {
    const { paging } = this.#traits;
    if (!paging) return '';
    const last = paging.last === 'count' ? paging.size : from + paging.size;
    return `&${paging.first}=${from + 1}&${paging.lastName}=${last}`;
  }

  /** A link with what every radio appends, blindly. */
  #followed(url: string): string {
    return `${url}&${this.#parameters()}`;
  }

  async #page(url: string, isWhole = false, isFirst = false): Promise<VtunerPage> {
    const { reader } = this.#traits;
    const { body } = await this.#get(url);
    const page = readVtunerPage(body, reader, isWhole);
    if (reader.wantsPrevious && !isFirst && page.previous === undefined) fail(`no way back in ${url}`);
    if (page.entries.length === 0 && page.count === undefined && !/start/.test(url))
      fail(`an empty list in ${url}`);
    return page;
  }

  async #get(url: string): Promise<DeviceAnswer> {
    const answer = await this.#request(url, true);
    if (answer.status !== 200) fail(`${url} answered ${answer.status}`);
    return answer;
  }

  async #request(url: string, isPage: boolean): Promise<DeviceAnswer> {
    const { host, requests, userAgent } = this.#traits;
    const asked = /^http:\/\/([^/]+)(\/.*)$/.exec(url) ?? fail(url);
    const [, name, path = ''] = asked;
    if (name !== host) fail(`it knows ${host} and not ${name}`);
    const target =
      requests === 'proxy' ? `http://${host}:80${path}` : requests === 'plain' ? path : `/${path}`;
    const answer = await this.#send(target, {
      Host: host,
      ...(userAgent === undefined ? {} : { 'User-Agent': userAgent }),
    });
    const { headers, body } = answer;
    for (const header of FORBIDDEN_HEADERS) if (headers.has(header)) fail(`it cannot read ${header}`);
    if (headers.get('content-length') !== String(body.length)) fail('a body of another length');
    if (isPage && headers.get('connection') !== 'close') fail('the connection stays open');
    return answer;
  }
}

const menuOf = ({ count, entries }: VtunerPage): Menu<VtunerEntry> => ({ total: count, entries });

export const linkOf = ({ elements }: VtunerEntry): string =>
  elements.get('UrlDir') ?? elements.get('ShowOnDemandURL') ?? '';

const latin1Escaped = (text: string): string =>
  Array.from(Buffer.from(text, 'latin1'), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

const fail = (what: string): never => {
  throw new Error(`the radio stops: ${what}`);
};
