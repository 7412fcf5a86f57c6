import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { identify } from '../../src/formats/audio/identify.ts';
import { createXmlParser } from '../../src/formats/xml-parser.ts';

/** What a speaker keeps for a button, or is told to play. */
interface ContentItem {
  source: string;
  type: string;
  location: string;
  name: string;
  art: string;
}

/** A line of a page that a speaker's app shows. */
export interface ShownItem {
  name: string;
  /** Of what opens it or plays it, below the base of the service. */
  opens: string | undefined;
  plays: string | undefined;
}

const AGENT = 'Bose_Lisa/27.0.6';
const MAX_DOCUMENT = 64 * 1024;

/**
 * A Bose SoundTouch as its owners and the replacements of its cloud describe it: it reads literally. A document has a length, no byte
 * order mark, JSON with every field it knows, and an address of sound that is neither HLS nor a page.
 */
export class SoundTouch {
  readonly #origin: string;
  /** The service TUNEIN, once it has read the registry. */
  #base = '';
  readonly presets = new Map<number, ContentItem>();
  /** What plays. */
  playing: { name: string; address: string; bytes: Buffer } | undefined;
  /** Sources that it has; one that was reset after its cloud ended lacks some. */
  sources = ['TUNEIN', 'LOCAL_INTERNET_RADIO', 'AUX'];

  constructor(origin: string) {
    this.#origin = origin;
  }

  async boot(): Promise<void> {
    const { bmx_services: services } = await readDocument(`${this.#origin}/bmx/registry/v1/services`);
    assert.ok(Array.isArray(services));
    const tunein = services.find((service) => service.id.value === 25);
    assert.equal(tunein.id.name, 'TUNEIN');
    this.#base = textIn(tunein, 'baseUrl');
  }

  /** The lines of the first page, or of one that an item opens. */
  open = (href = '/v1/navigate'): Promise<ShownItem[]> => this.#page(href);
  search = (text: string): Promise<ShownItem[]> => this.#page(`/v1/search?q=${encodeURIComponent(text)}`);

  /** Every station below an item, over all pages; `visit` is told the ids. */
  async walk(visit: (id: string) => void, href?: string, seen = new Set<string>()): Promise<void> {
    for (const { opens, plays } of await this.open(href)) {
      if (plays !== undefined) visit(plays.slice(plays.lastIndexOf('/') + 1));
      if (opens === undefined || seen.has(opens)) continue;
      seen.add(opens);
      await this.walk(visit, opens, seen);
    }
  }

  /** Where a station leads: the address that the speaker connects to. */
  async play(id: string): Promise<string> {
    return (await this.#document(`${this.#base}/v1/playback/station/${id}`)).address;
  }

  save(button: number, item: ContentItem): void {
    assert.ok(button >= 1 && button <= 6);
    this.presets.set(button, item);
  }

  /** Presses a button: reads its document, connects, and plays what comes. */
  async recall(button: number): Promise<void> {
    const item = this.presets.get(button);
    assert.ok(item, `button ${button} is empty`);
    assert.equal(item.source, 'LOCAL_INTERNET_RADIO');
    assert.equal(item.type, 'stationurl');
    const { name, address } = await this.#document(item.location);
    this.playing = { name, address, bytes: await hear(address) };
  }

  async #page(href: string): Promise<ShownItem[]> {
    const { bmx_sections: sections, layout } = await readDocument(this.#base + href);
    assert.equal(layout, 'classic');
    assert.ok(Array.isArray(sections) && sections.length > 0);
    return sections.flatMap(({ items }) =>
      items.map((item: any) => {
        textIn(item, 'imageUrl');
        const { _links: links } = item;
        return {
          name: textIn(item, 'name'),
          opens: links.bmx_navigate?.href,
          plays: links.bmx_playback?.href,
        };
      }),
    );
  }

  async #document(location: string): Promise<{ name: string; address: string }> {
    const document = await readDocument(location);
    const { audio, streamType } = document;
    assert.equal(streamType, 'liveRadio');
    assert.equal(audio.isRealtime, true);
    assert.equal(typeof audio.hasPlaylist, 'boolean');
    assert.equal(audio.maxTimeout, 60);
    assert.ok(Array.isArray(audio.streams) && audio.streams.length > 0);
    for (const stream of audio.streams) {
      assert.match(textIn(stream, 'streamUrl'), /^https?:\/\//);
      assert.ok(stream.bufferingTimeout > 0 && stream.connectingTimeout > 0);
    }
    assert.equal(audio.streams[0].streamUrl, audio.streamUrl);
    assert.match(textIn(document, 'imageUrl'), /^https?:\/\//);
    assert.ok(textIn(document, 'name').length <= 100);
    return { name: document.name, address: audio.streamUrl };
  }
}

const textIn = (value: any, name: string): string => {
  assert.equal(typeof value[name], 'string', `${name} is no text: ${JSON.stringify(value)}`);
  return value[name];
};

/** Anything wrong is silence to a speaker; here it says what. */
async function readDocument(address: string): Promise<any> {
  const { head, bytes } = await fetchAs(address, MAX_DOCUMENT);
  assert.equal(head.statusCode, 200, `${address}: ${bytes.toString()}`);
  assert.equal(head.headers['transfer-encoding'], undefined, 'it reads no chunks');
  assert.equal(Number(head.headers['content-length']), bytes.length);
  assert.equal(head.headers['content-encoding'], undefined);
  assert.match(head.headers['content-type'] ?? '', /^application\/json/);
  assert.notEqual(bytes[0], 0xef, 'no byte order mark');
  return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
}

const HEARD = 16 * 1024;

/** Follows redirects of a stream, as it does, and takes the first bytes. */
async function hear(address: string, redirects = 3): Promise<Buffer> {
  const { head, bytes } = await fetchAs(address, HEARD);
  const { location } = head.headers;
  if (head.statusCode === 302 && location !== undefined && redirects > 0)
    return hear(new URL(location, address).href, redirects - 1);
  assert.equal(head.statusCode, 200);
  assert.match(head.headers['content-type'] ?? '', /^audio\/(?:mpeg|aac|aacp)/);
  return bytes;
}

async function fetchAs(address: string, most: number): Promise<{ head: IncomingMessage; bytes: Buffer }> {
  const call = get(address, { headers: { 'user-agent': AGENT }, agent: false, timeout: 20_000 });
  const [head]: IncomingMessage[] = await once(call, 'response');
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of head!) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= most) break;
  }
  call.destroy();
  return { head: head!, bytes: Buffer.concat(chunks) };
}

/** The speaker's own interface, which answers on port 8090 of a house; `/press?N` is the finger on a button. */
export async function serveSoundTouch(speaker: SoundTouch, host: string, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    void answer(speaker, request, response).catch((error: unknown) =>
      response.writeHead(500).end(String(error)),
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}

async function answer(
  speaker: SoundTouch,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  const { pathname, search } = new URL(request.url ?? '', 'http://speaker');
  const xml = (text: string): void =>
    void response
      .writeHead(200, { 'content-type': 'text/xml' })
      .end(`<?xml version="1.0" encoding="UTF-8" ?>${text}`);
  if (pathname === '/info')
    return xml('<info deviceID="08DF1F0BA325"><name>Kitchen</name><type>SoundTouch 10</type></info>');
  if (pathname === '/sources')
    return xml(
      `<sources deviceID="08DF1F0BA325">${speaker.sources.map((source) => `<sourceItem source="${source}" status="READY" isLocal="false">${source}</sourceItem>`).join('')}</sources>`,
    );
  if (pathname === '/storePreset' && request.method === 'POST') {
    const { button, item } = parseItem(body);
    speaker.save(button, item);
    return xml('<status>/storePreset</status>');
  }
  if (pathname === '/presets')
    return xml(`<presets>${[...speaker.presets].map(writePreset).join('')}</presets>`);
  if (pathname === '/press') {
    await speaker.recall(Number(search.slice(1)));
    const { name, address, bytes } = speaker.playing!;
    const sound = await identify(bytes, undefined);
    return void response.end(JSON.stringify({ name, address, format: sound?.format, bytes: bytes.length }));
  }
  response.writeHead(404).end();
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const writePreset = ([button, item]: [number, ContentItem]): string =>
  `<preset id="${button}"><ContentItem source="${item.source}" type="${item.type}" location="${escaped(item.location)}" isPresetable="true"><itemName>${escaped(item.name)}</itemName><containerArt>${escaped(item.art)}</containerArt></ContentItem></preset>`;

/** `<preset id="1"><ContentItem …>`, to the letter. */
function parseItem(body: string): { button: number; item: ContentItem } {
  let button = 0;
  const item: ContentItem = { source: '', type: '', location: '', name: '', art: '' };
  const open: string[] = [];
  const parser = createXmlParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    open.push(name);
    if (open.join('/') === 'preset') button = Number(attributes['id']);
    if (open.join('/') !== 'preset/ContentItem') return;
    assert.equal(attributes['isPresetable'], 'true');
    const { source = '', type = '', location = '' } = attributes;
    Object.assign(item, { source, type, location });
  });
  parser.on('text', (text) => {
    if (open.at(-1) === 'itemName') item.name += text;
    if (open.at(-1) === 'containerArt') item.art += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(body).close();
  return { button, item };
}

/** As a program of a house: `node soundtouch.ts ORIGIN HOST [SOURCE …]`. */
if (process.argv[1] === import.meta.filename) {
  const [, , origin = '', host = '', ...sources] = process.argv;
  const speaker = new SoundTouch(origin);
  if (sources.length > 0) speaker.sources = sources;
  await serveSoundTouch(speaker, host, 8090);
  console.log('open');
}
