import type { SaxesTagPlain } from 'saxes';
import { createXmlParser } from '../xml-parser.ts';
import { type Attributes, Draft, noteAttributes, noteText, type DraftPlace, placeInside } from './draft.ts';
import { FeedError, type FeedFlaw, type FeedItem, FEED_LIMITS } from './feed.ts';
import { finishItem } from './finish-feed.ts';

/** The element whose text is being read. */
interface Reading {
  name: string;
  attributes: Attributes;
  depth: number;
}

/** Where an element's attributes carry information. */
const INFORMATIVE: ReadonlySet<DraftPlace> = new Set<DraftPlace>(['feed', 'item', 'category', 'media']);
/** Namespaces are declared at the top; deeper down, declarations belong to embedded HTML. */
const DECLARING_DEPTH = 3;
const ROOTS = new Set(['rss', 'feed', 'rdf:rdf']);

/**
 * Reads a feed's text, event by event: the current item is complete in memory, the others only as their kept fields.
 */
export class FeedReader {
  readonly feed = new Draft();
  readonly items = new NewestItems();
  readonly #names = new Names();
  readonly #base: string | undefined;
  readonly #places: DraftPlace[] = ['document'];
  #item: Draft | undefined;
  #reading: Reading | undefined;
  #text = '';
  #unknownEntities = 0;
  #elements = 0;
  #elementsOfOne = 0;
  #attributes = 0;
  #inText = asItIs;

  constructor(base: string | undefined) {
    this.#base = base;
  }

  read(text: string): void {
    const parser = createXmlParser();
    parser.on('error', (error) => this.#forgive(error.message));
    parser.on('doctype', (doctype) => refuseDoctype(doctype));
    parser.on('opentagstart', () => (this.#attributes = 0));
    parser.on('attribute', () => this.#countAttribute());
    parser.on('opentag', (tag) => this.#open(tag));
    parser.on('closetag', (tag) => this.#close(tag));
    const stood = standIn(text);
    // A feed that contains such a character itself has no stand-ins, and keeps it.
    const [inText, inCdata] = stood === text ? [asItIs, asItIs] : [asCharacters, asWritten];
    this.#inText = inText;
    parser.on('text', (piece) => this.#hear(inText(piece)));
    parser.on('cdata', (piece) => this.#hear(inCdata(piece)));
    parser.write(cutAttributes(stood)).close();
  }

  /** An HTML entity stays as written, and is decoded with the HTML around it. Any other error ends the reading. */
  #forgive(message: string): void {
    if (message.endsWith('undefined entity.') && this.#unknownEntities++ < FEED_LIMITS.unknownEntities)
      return;
    throw new FeedError('not-xml', `the feed is not well-formed XML, at line:column ${message}`);
  }

  #open(tag: SaxesTagPlain): void {
    const { attributes } = tag;
    if (this.#inText !== asItIs)
      for (const [name, value] of Object.entries(attributes)) attributes[name] = this.#inText(value);
    if (this.#places.length <= DECLARING_DEPTH) this.#names.declare(attributes);
    const name = this.#names.of(tag.name);
    const around = this.#places.at(-1) ?? 'elsewhere';
    this.#check(name);
    const place = this.#reading ? 'elsewhere' : placeInside(around, name);
    this.#places.push(place);
    // Unescaped HTML is read as if it were escaped.
    if (this.#reading) this.#hear(`<${name}>`);
    else if (place === 'text') this.#reading = { name, attributes, depth: this.#places.length };
    else if (place === 'item') this.#startItem(attributes);
    else if (place === 'feed') this.feed.record('xml:lang', attributes['xml:lang'] ?? '');
    if (INFORMATIVE.has(around)) noteAttributes(this.#item ?? this.feed, name, attributes);
  }

  /** As they come in: an element of a million attributes is refused early. */
  #countAttribute(): void {
    this.#attributes += 1;
    if (this.#attributes > FEED_LIMITS.attributes)
      refuse('too-many-attributes', `an element has over ${FEED_LIMITS.attributes} attributes`);
  }

  #check(name: string): void {
    this.#elements += 1;
    this.#elementsOfOne += 1;
    if (this.#elements > FEED_LIMITS.elements)
      refuse('too-large', `it has over ${FEED_LIMITS.elements} elements`);
    if (this.#elementsOfOne > FEED_LIMITS.elementsOfOne)
      refuse('too-large', `an item has over ${FEED_LIMITS.elementsOfOne} elements`);
    if (this.#places.length > FEED_LIMITS.depth)
      refuse('too-deep', `elements nest deeper than ${FEED_LIMITS.depth}`);
    if (this.#places.length > 1 || ROOTS.has(name)) return;
    const kind = name === 'html' ? 'a web page' : `XML of another kind, <${name.slice(0, 40)}>`;
    refuse('not-a-feed', `it is ${kind}: give the address of its RSS or Atom feed`);
  }

  #startItem(attributes: Attributes): void {
    this.#item = new Draft();
    this.#elementsOfOne = 0;
    this.#item.record('rdf:about', attributes['rdf:about'] ?? '');
  }

  #hear(piece: string): void {
    if (this.#reading && this.#text.length < FEED_LIMITS.text)
      this.#text += piece.slice(0, FEED_LIMITS.text - this.#text.length);
  }

  #close(tag: SaxesTagPlain): void {
    const depth = this.#places.length;
    const place = this.#places.pop();
    if (this.#reading?.depth === depth) this.#finishText(this.#reading);
    else if (this.#reading) this.#hear(`</${this.#names.of(tag.name)}>`);
    else if (place === 'item' && this.#item) {
      this.items.add(finishItem(this.#item, this.#base));
      this.#item = undefined;
      this.#elementsOfOne = 0;
    }
  }

  #finishText({ name, attributes }: Reading): void {
    const around = this.#places.at(-1) ?? 'elsewhere';
    noteText(this.#item ?? this.feed, { name, attributes, around, text: this.#text });
    this.#reading = undefined;
    this.#text = '';
  }
}

const asItIs = (text: string): string => text;

function refuse(flaw: FeedFlaw, reason: string): never {
  throw new FeedError(flaw, `the feed cannot be read: ${reason}`);
}

function refuseDoctype(doctype: string): never {
  if (/^\s*html/i.test(doctype))
    refuse('not-a-feed', 'it is a web page: give the address of its RSS or Atom feed');
  refuse('doctype', 'it has a DOCTYPE, which is refused because of entity tricks');
}

/** Our prefix for a namespace; feeds are free to choose another. */
const PREFIXES = new Map([
  ['http://www.itunes.com/dtds/podcast-1.0.dtd', 'itunes'],
  ['http://www.w3.org/2005/atom', 'atom'],
  ['http://purl.org/atom/ns#', 'atom'],
  ['http://purl.org/rss/1.0/', ''],
  ['http://purl.org/rss/1.0/modules/content/', 'content'],
  ['http://purl.org/rss/1.0/modules/syndication/', 'sy'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['http://purl.oclc.org/net/rss_2.0/enc#', 'enc'],
  ['http://search.yahoo.com/mrss/', 'media'],
  ['http://www.w3.org/1999/02/22-rdf-syntax-ns#', 'rdf'],
  ['https://podcastindex.org/namespace/1.0', 'podcast'],
]);

const MAX_PREFIXES = 64;

/**
 * Normalised element names, in lower case. An undeclared prefix is taken literally: many feeds forget the declaration,
 * and mean the usual one.
 */
class Names {
  readonly #ours = new Map<string, string>();

  declare(attributes: Readonly<Record<string, string>>): void {
    for (const [key, uri] of Object.entries(attributes)) {
      if (!key.startsWith('xmlns:') || this.#ours.size >= MAX_PREFIXES) continue;
      const ours = PREFIXES.get(uri.trim().toLowerCase());
      if (ours !== undefined) this.#ours.set(key.slice(6).toLowerCase(), ours);
    }
  }

  of(name: string): string {
    const lower = name.toLowerCase();
    const colon = lower.indexOf(':');
    if (colon === -1) return lower;
    const prefix = lower.slice(0, colon);
    const ours = this.#ours.get(prefix) ?? prefix;
    // Atom elements are known without a prefix, since whole feeds are written that way.
    return ours === '' || ours === 'atom' ? lower.slice(colon + 1) : `${ours}${lower.slice(colon)}`;
  }
}

/** The newest items of any number, in the order of the feed. An undated one counts as old as the one before it. */
class NewestItems {
  #kept: { item: FeedItem; order: number; when: number }[] = [];
  #count = 0;
  #lastWhen = Number.MAX_SAFE_INTEGER;

  add(item: FeedItem): void {
    this.#lastWhen = item.published?.epochMilliseconds ?? this.#lastWhen;
    this.#kept.push({ item, order: this.#count++, when: this.#lastWhen });
    // Only now and then, so that a feed of any length is sorted in little more than one pass.
    if (this.#kept.length >= 2 * FEED_LIMITS.items) this.#cut();
  }

  list(): FeedItem[] {
    this.#cut();
    return this.#kept.toSorted((a, b) => a.order - b.order).map(({ item }) => item);
  }

  #cut(): void {
    if (this.#kept.length <= FEED_LIMITS.items) return;
    this.#kept = this.#kept
      .toSorted((a, b) => b.when - a.when || a.order - b.order)
      .slice(0, FEED_LIMITS.items);
  }
}

/** A value may not contain `<`, so that a match is an attribute, or a text so long that its end does not matter. */
const LONG_ATTRIBUTE = new RegExp(`=(["'])((?:(?!\\1)[^<]){${FEED_LIMITS.attribute}})(?:(?!\\1)[^<])+`, 'g');
/** A reference that the cut split. */
const HALF_REFERENCE = /&[^;]{0,40}$/;
/** XML reads each as one space; the parser re-joins the value at every one of them. */
const ATTRIBUTE_BREAKS = /[\t\r\n]+/g;

/**
 * The parser reads character by character, and no long attribute of a feed is needed: 400 KB of them took 52 ms. They
 * are cut before it sees them.
 */
export const cutAttributes = (text: string): string =>
  text.replace(
    LONG_ATTRIBUTE,
    (_all, quote: string, kept: string) =>
      `=${quote}${kept.replace(HALF_REFERENCE, '').replace(ATTRIBUTE_BREAKS, ' ')}`,
  );

/** XML's own entities, each with a private character that stands for it while the text is parsed. */
const ENTITIES = [
  ['&amp;', '&', '\ue000'],
  ['&lt;', '<', '\ue001'],
  ['&gt;', '>', '\ue002'],
  ['&quot;', '"', '\ue003'],
  ['&apos;', "'", '\ue004'],
] as const;
const ANY_STAND_IN = /[\ue000-\ue004]/;
const EACH_STAND_IN = /[\ue000-\ue004]/g;
const AS_CHARACTER = new Map<string, string>(ENTITIES.map(([, character, standIn]) => [standIn, character]));
const AS_WRITTEN = new Map<string, string>(ENTITIES.map(([written, , standIn]) => [standIn, written]));

/**
 * The parser takes half a microsecond per entity, and feeds with HTML consist of entities: a third of a megabyte of
 * them took 56 ms. Replaced beforehand they cost next to nothing. A feed that contains one of those characters itself
 * is left alone, and is read the slow way.
 */
export const standIn = (text: string): string =>
  ANY_STAND_IN.test(text)
    ? text
    : ENTITIES.reduce((replaced, [written, , character]) => replaced.replaceAll(written, character), text);

/** Back to characters, in text and in attributes. */
export const asCharacters = (text: string): string =>
  ANY_STAND_IN.test(text)
    ? text.replace(EACH_STAND_IN, (character) => AS_CHARACTER.get(character) ?? character)
    : text;

/** Back to entities in CDATA, where they are literal. */
const asWritten = (text: string): string =>
  ANY_STAND_IN.test(text)
    ? text.replace(EACH_STAND_IN, (character) => AS_WRITTEN.get(character) ?? character)
    : text;
