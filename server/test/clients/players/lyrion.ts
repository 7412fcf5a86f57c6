import { createHash } from 'node:crypto';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { type XmlElement, parseXml } from '../../../../client/src/xml/parse.ts';

/** The host whose menus Lyrion treats as this directory's. */
export const HOST = 'opml.radiotime.com';
const PLAYER = 'aa:bb:cc:dd:ee:ff';
export const SERIAL = createHash('md5').update(PLAYER).digest('hex');
const PARTNER = '15';
const FORMATS = 'aac,ogg,mp3,wmpro,wma,wmvoice';
const AGENT =
  'iTunes/4.7.1 (Linux; N; Debian; x86_64-linux; EN; utf8) SqueezeCenter, Squeezebox Server, Lyrion Music Server/9.0.0/1729754114';

/** One line of a menu, as Lyrion keeps it: its name, its address, and every other attribute as it stands. */
export interface Item {
  name: string;
  url: string | undefined;
  type: string | undefined;
  items: Item[];
  attributes: ReadonlyMap<string, string>;
}

export interface Feed {
  title: string;
  items: Item[];
}

export interface Got {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What Lyrion Music Server sends, with its headers, to a directory on this machine, and how it reads the answers. */
export class Lyrion {
  readonly #port: number;
  readonly #username: string;

  constructor(port: number, username = '') {
    this.#port = port;
    this.#username = username;
  }

  /** A menu. It takes itself for a browser there, and reads nothing but XML. */
  async feed(url: string): Promise<Feed> {
    const { status, headers, body } = await this.#get(url, {
      'User-Agent': AGENT.replace('iTunes/4.7.1', 'Mozilla/5.0'),
      'Icy-Metadata': '',
    });
    if (status !== 200) throw new Error(`${url} was answered with HTTP ${status}`);
    if (/json/.test(headers['content-type'] ?? '')) throw new Error(`${url} was answered with JSON`);
    return parseFeed(body);
  }

  /** What is said of a stream, and the like: asked for under the name that stations want to hear. */
  about(url: string): Promise<Got> {
    return this.#get(url, { 'User-Agent': AGENT });
  }

  /** The lines of a playlist, as the player's scanner reads them. */
  async scan(url: string): Promise<string[]> {
    const { headers, body } = await this.#get(url, { 'User-Agent': AGENT, 'Icy-MetaData': '1' });
    if (!/^audio\/(?:x-)?mpegurl$/.test(headers['content-type'] ?? ''))
      throw new Error(`a playlist of type ${headers['content-type']}`);
    return body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  }

  /** The menus on its home page: those of the index, and its own entry for presets before them. */
  async menus(): Promise<Map<string, string>> {
    const { items } = await this.feed(`http://${HOST}/Index.aspx?partnerId=16`);
    const menus = items.map((item): [string, string] => {
      const key = item.attributes.get('key') ?? (item.type === 'search' ? 'search' : '');
      return [key, (item.url ?? '').replaceAll(/(partnerId=)16/gi, `$1${PARTNER}`)];
    });
    const all = [['presets', `http://${HOST}/Browse.ashx?c=presets&partnerId=${PARTNER}`], ...menus] as const;
    if (new Set(all.map(([key]) => key)).size < all.length)
      throw new Error(`two menus of one name: ${all.map(([key]) => key).join()}`);
    return new Map(all);
  }

  /** The address of a menu, made anew of its parameters; the text that is looked for comes last, as it was typed. */
  openUrl(menu: string, typed?: string): string {
    const url = new URL(menu);
    const asked = Object.fromEntries(url.searchParams);
    delete asked['query'];
    const isPresets = menu.includes('presets');
    const parameters = new URLSearchParams({
      id: asked['sid'] ?? asked['id'] ?? '',
      serial: SERIAL,
      partnerId: PARTNER,
      ...(isPresets && { username: this.#username }),
      ...asked,
      formats: FORMATS,
    });
    const query = typed === undefined ? '' : `&query=${typed.replaceAll(' ', '%20')}`;
    return `${url.origin}${url.pathname}?${parameters.toString()}${query}`;
  }

  open(menu: string, typed?: string): Promise<Feed> {
    return this.feed(this.openUrl(menu, typed));
  }

  async #get(url: string, headers: Record<string, string>): Promise<Got> {
    const { host, pathname, search } = new URL(url);
    const sent = request({
      host: '127.0.0.1',
      port: this.#port,
      // As typed: what is not escaped goes out as it is.
      path: url.slice(url.indexOf(host) + host.length) || `${pathname}${search}`,
      headers: { Host: host, 'Accept-Language': 'en', 'Accept-Encoding': 'gzip', ...headers },
    }).end();
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    sent.once('response', resolve).once('error', reject);
    const answer = await promise;
    const bytes = await buffer(answer);
    const isPacked = answer.headers['content-encoding'] === 'gzip';
    return {
      status: answer.statusCode ?? 0,
      headers: answer.headers,
      body: (isPacked ? gunzipSync(bytes) : bytes).toString(),
    };
  }
}

/** What is no XML is "Failed to parse"; what has a body is read as OPML. */
export function parseFeed(content: string): Feed {
  if (!/<\??(?:xml|rss|opml)/.test(content)) throw new Error('Invalid XML feed');
  const root = parseXml(content);
  const body = root.children.find(({ name }) => name === 'body');
  const head = root.children.find(({ name }) => name === 'head');
  if (!body) throw new Error('it would be taken for a podcast');
  const title = head?.children.find(({ name }) => name === 'title')?.text ?? '';
  return { title, items: parseOutlines(body) };
}

function parseOutlines({ children }: XmlElement): Item[] {
  return children
    .filter(({ name }) => name === 'outline')
    .map((outline): Item => {
      const { attributes } = outline;
      return {
        name: attributes.get('text') ?? '',
        url: attributes.get('url') ?? attributes.get('URL'),
        type: attributes.get('type'),
        items: parseOutlines(outline),
        attributes,
      };
    })
    .filter(({ url, attributes }) => !(url?.includes(HOST) && attributes.get('key') === 'unavailable'));
}

/** All lines, of whatever depth. */
export const linesOf = (items: readonly Item[]): Item[] =>
  items.flatMap((item) => [item, ...linesOf(item.items)]);
