import assert from 'node:assert/strict';
import { SaxesParser } from 'saxes';

/** An element of an answer, as a control point sees it. */
export interface SeenElement {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: SeenElement[];
}

/** Any control point reads XML as strictly as this. */
export function readXml(text: string): SeenElement {
  const root: SeenElement = { name: '', attributes: {}, text: '', children: [] };
  const path = [root];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const values = Object.entries(attributes).map(([key, { value }]) => [key, value]);
    const element = { name, attributes: Object.fromEntries(values), text: '', children: [] };
    path.at(-1)?.children.push(element);
    path.push(element);
  });
  parser.on('text', (more) => void (path.at(-1)!.text += more));
  parser.on('closetag', () => void path.pop());
  parser.write(text).close();
  return root.children[0] ?? assert.fail('empty');
}

export function findElement(element: SeenElement, name: string): SeenElement | undefined {
  if (element.name === name) return element;
  for (const child of element.children) {
    const found = findElement(child, name);
    if (found) return found;
  }
  return undefined;
}

/** Something in the list of a media server. */
export interface SeenObject {
  id: string;
  parentId: string;
  title: string;
  class: string;
  isFolder: boolean;
  childCount: number | undefined;
  /** Where it is played: the first that it gives. */
  address: string | undefined;
  protocolInfo: string | undefined;
}

export interface SeenWindow {
  objects: SeenObject[];
  total: number;
}

/** How a model differs from others. */
export interface ControlPointTraits {
  userAgent: string | undefined;
  /** How many it asks for at a time. */
  pageSize: number;
  /** MPD loses what stands before the last entity in an address. */
  spoilsEntities: boolean;
  /** How many redirects its player follows. */
  redirects: number;
  /** Classes of items that it shows. */
  shows: (itemClass: string) => boolean;
}

const isTrack = (itemClass: string): boolean =>
  itemClass === 'object.item.audioItem.musicTrack' ||
  itemClass.startsWith('object.item.audioItem.musicTrack.');

/** As read of each: what MPD 0.23 does on the wire, and what owners report of HEOS. */
export const MPD_LIKE: ControlPointTraits = {
  userAgent: 'Linux/6.1 UPnP/1.0, Portable SDK for UPnP devices/1.14.13',
  pageSize: 200,
  spoilsEntities: true,
  redirects: 5,
  shows: isTrack,
};
export const HEOS_LIKE: ControlPointTraits = {
  userAgent: 'LINUX UPnP/1.0 Denon-Heos/149200',
  pageSize: 50,
  spoilsEntities: false,
  redirects: 0,
  shows: isTrack,
};

type Post = (
  path: string,
  headers: Record<string, string>,
  body: string,
) => Promise<{ status: number; text: string }>;
type Get = (path: string) => Promise<string>;

/** Where a model plays, and how it comes there. */
export interface Tuned {
  address: string;
  redirects: number;
}

/**
 * A control point in a house: it reads the description (boot), opens folders window by window, searches, and says where it would
 * play. It reads as literally as firmware does.
 */
export class ControlPoint {
  readonly #traits: ControlPointTraits;
  readonly #post: Post;
  readonly #get: Get;
  #control: string | undefined;
  readonly #service = 'urn:schemas-upnp-org:service:ContentDirectory:1';

  constructor(traits: ControlPointTraits, get: Get, post: Post) {
    this.#traits = traits;
    this.#get = get;
    this.#post = post;
  }

  /** The name of the server. */
  async boot(): Promise<string> {
    const description = readXml(await this.#get('/description.xml'));
    const services = findElement(description, 'serviceList')?.children ?? [];
    const content = services.find((service) => findElement(service, 'serviceType')?.text === this.#service);
    this.#control = content && findElement(content, 'controlURL')?.text;
    assert.ok(this.#control, 'no ContentDirectory');
    assert.match(findElement(description, 'UDN')?.text ?? '', /^uuid:[\da-f-]{36}$/);
    return findElement(description, 'friendlyName')?.text ?? '';
  }

  /** All that is in a folder, window by window. */
  async open(id: string): Promise<SeenObject[]> {
    const objects: SeenObject[] = [];
    for (;;) {
      const window = await this.page(id, objects.length);
      objects.push(...window.objects);
      if (window.objects.length === 0 || objects.length >= window.total) return objects;
    }
  }

  page(id: string, start: number, sort = ''): Promise<SeenWindow> {
    return this.#list('Browse', { ObjectID: id, BrowseFlag: 'BrowseDirectChildren' }, start, sort);
  }

  async metadata(id: string): Promise<SeenObject> {
    const { objects } = await this.#list('Browse', { ObjectID: id, BrowseFlag: 'BrowseMetadata' }, 0, '');
    return objects[0] ?? assert.fail(id);
  }

  async search(text: string): Promise<SeenObject[]> {
    const quoted = text.replaceAll(/["\\]/g, '\\$&');
    return (await this.searchBy(`dc:title contains "${quoted}"`)).objects;
  }

  searchBy(criteria: string, containerId = '0'): Promise<SeenWindow> {
    return this.#list('Search', { ContainerID: containerId, SearchCriteria: criteria }, 0, '');
  }

  /** Where its player ends up for an item, by redirects as far as it follows them. */
  async play(item: SeenObject, follow: (address: string) => Promise<string | undefined>): Promise<Tuned> {
    let address = item.address ?? assert.fail(`${item.id} has no address`);
    if (this.#traits.spoilsEntities) assert.doesNotMatch(address, /[&<>'"]/, 'an address it would spoil');
    for (let redirects = 0; ; redirects += 1) {
      const next = await follow(address);
      if (next === undefined) return { address, redirects };
      assert.ok(redirects < this.#traits.redirects, `${address} leads on, which it does not follow`);
      address = next;
    }
  }

  /** An answer of an action, or its error. */
  async call(action: string, args: Record<string, string>): Promise<Map<string, string>> {
    const values = Object.entries(args).map(([name, value]) => `<${name}>${escapeXmlText(value)}</${name}>`);
    const body =
      '<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/">' +
      `<s:Body><u:${action} xmlns:u="${this.#service}">${values.join('')}</u:${action}></s:Body></s:Envelope>`;
    const headers = {
      'content-type': 'text/xml; charset="utf-8"',
      soapaction: `"${this.#service}#${action}"`,
      ...(this.#traits.userAgent !== undefined && { 'user-agent': this.#traits.userAgent }),
    };
    const { status, text } = await this.#post(this.#control ?? assert.fail('boot first'), headers, body);
    const envelope = readXml(text);
    const code = findElement(envelope, 'errorCode')?.text;
    if (status !== 200)
      throw new Error(`UPnP error ${code}: ${findElement(envelope, 'errorDescription')?.text}`);
    const answer = findElement(envelope, `u:${action}Response`) ?? assert.fail(text);
    return new Map(answer.children.map((child) => [child.name, child.text]));
  }

  async #list(
    action: string,
    args: Record<string, string>,
    start: number,
    sort: string,
  ): Promise<SeenWindow> {
    const answer = await this.call(action, {
      ...args,
      Filter: '*',
      StartingIndex: String(start),
      RequestedCount: String(this.#traits.pageSize),
      SortCriteria: sort,
    });
    const didl = readXml(answer.get('Result') ?? '');
    const seen = didl.children.map(readObject);
    assert.equal(Number(answer.get('NumberReturned')), seen.length);
    const objects = seen.filter(
      ({ isFolder, class: itemClass }) => isFolder || this.#traits.shows(itemClass),
    );
    return { objects, total: Number(answer.get('TotalMatches')) };
  }
}

const escapeXmlText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function readObject(element: SeenElement): SeenObject {
  const resource = findElement(element, 'res');
  const { id = '', parentID: parentId = '', childCount } = element.attributes;
  return {
    id,
    parentId,
    title: findElement(element, 'dc:title')?.text ?? '',
    class: findElement(element, 'upnp:class')?.text ?? '',
    isFolder: element.name === 'container',
    childCount: childCount === undefined ? undefined : Number(childCount),
    address: resource?.text,
    protocolInfo: resource?.attributes['protocolInfo'],
  };
}
