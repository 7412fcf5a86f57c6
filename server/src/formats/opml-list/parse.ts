import type { SaxesTagPlain } from 'saxes';
import type { Bytes } from '../plain-bytes.ts';
import { type XmlParser, createXmlParser } from '../xml-parser.ts';

/** One outline with an address: a station in an imported list. `groups` are the outlines around it, outermost first. */
interface ListedOutline {
  address: string;
  name?: string;
  type?: string;
  image?: string;
  bitrateKbps?: number;
  groups: string[];
  /** Every attribute, by lower-case name. */
  attributes: ReadonlyMap<string, string>;
}

export const MAX_DEPTH = 64;
const MAX_BYTES = 256 * 2 ** 20;
const MAX_OUTLINES = 500_000;
export const MAX_ATTRIBUTE_LENGTH = 16_384;

/** A radio list in OPML, read as a stream. The first error ends it: what follows is not to be trusted. */
export async function* readOpmlList(bytes: Bytes): AsyncGenerator<ListedOutline> {
  const found: ListedOutline[] = [];
  const parser = listParser(found);
  let decoder: TextDecoder | undefined;
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`the list is over ${MAX_BYTES} bytes: split it`);
    decoder ??= declaredDecoder(chunk);
    parser.write(decoder.decode(chunk, { stream: true }));
    yield* found.splice(0);
  }
  parser.write(decoder?.decode() ?? '').close();
  yield* found.splice(0);
}

/** The encoding in the XML declaration; the first chunk contains all of it, since only a mark may precede it. */
function declaredDecoder(chunk: Uint8Array): TextDecoder {
  const head = Buffer.from(chunk.subarray(0, 200)).toString('latin1');
  const [, label = 'utf-8'] = /^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*encoding=["']([\w.:-]+)["']/.exec(head) ?? [];
  try {
    return new TextDecoder(label);
  } catch {
    throw new Error(`the list is in the encoding "${label}", which is not supported: save it as UTF-8`);
  }
}

function listParser(found: ListedOutline[]): XmlParser {
  const parser = createXmlParser();
  const groups: (string | undefined)[] = [];
  let outlines = 0;
  let depth = 0;
  parser.on('error', (error) => {
    throw new Error(`the list is not well-formed XML: ${error.message}`);
  });
  parser.on('doctype', () => {
    throw new Error('the list has a DOCTYPE, which is refused because of entity attacks: remove it');
  });
  parser.on('opentag', (tag) => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new Error(`the list nests deeper than ${MAX_DEPTH} levels: flatten it`);
    if (depth === 1 && tag.name !== 'opml') {
      throw new Error(`the list's root is <${tag.name}>, not <opml>: choose the import for its format`);
    }
    if (tag.name !== 'outline') return;
    outlines += 1;
    if (outlines > MAX_OUTLINES) throw new Error(`the list has over ${MAX_OUTLINES} outlines: split it`);
    const attributes = boundedAttributes(tag);
    const outline = toOutline(attributes, groups);
    if (outline) found.push(outline);
    groups.push(outline ? undefined : nameOf(attributes));
  });
  parser.on('closetag', (tag) => {
    depth -= 1;
    if (tag.name === 'outline') groups.pop();
  });
  return parser;
}

function boundedAttributes(tag: SaxesTagPlain): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [key, value] of Object.entries(tag.attributes)) {
    if (value.length <= MAX_ATTRIBUTE_LENGTH) attributes.set(key.toLowerCase(), value.trim());
  }
  return attributes;
}

const nameOf = (attributes: ReadonlyMap<string, string>): string | undefined =>
  attributes.get('text') || attributes.get('title') || undefined;

function toOutline(
  attributes: ReadonlyMap<string, string>,
  around: readonly (string | undefined)[],
): ListedOutline | undefined {
  const address = attributes.get('url') || attributes.get('xmlurl');
  if (!address) return undefined;
  const name = nameOf(attributes);
  const type = attributes.get('type');
  const image = attributes.get('image') || attributes.get('logo');
  const bitrateKbps = Number(attributes.get('bitrate') ?? Number.NaN);
  return {
    address,
    ...(name ? { name } : {}),
    ...(type ? { type } : {}),
    ...(image ? { image } : {}),
    ...(Number.isFinite(bitrateKbps) ? { bitrateKbps } : {}),
    groups: around.filter((group) => group !== undefined),
    attributes,
  };
}
