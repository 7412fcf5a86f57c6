import type { SaxesTagPlain } from 'saxes';
import { createXmlParser } from '../xml-parser.ts';
import { cutAttributes } from './cut-attributes.ts';
import { Draft } from './draft.ts';
import { FeedError, type FeedFlaw, LIMITS } from './feed.ts';
import { finishItem } from './finish-item.ts';
import { Names } from './names.ts';
import { NewestItems } from './newest.ts';
import { type Attributes, noteAttributes, noteText } from './note.ts';
import { type Place, placeInside } from './places.ts';
import { asCharacters, asWritten, standIn } from './stand-ins.ts';

/** The element whose text is being read. */
interface Reading {
  name: string;
  attributes: Attributes;
  depth: number;
}

/** Where an element says something by its attributes. */
const TELLING: ReadonlySet<Place> = new Set<Place>(['feed', 'item', 'category', 'media']);
/** Namespaces are declared at the top; anywhere else they are somebody's HTML. */
const DECLARING_DEPTH = 3;
const ROOTS = new Set(['rss', 'feed', 'rdf:rdf']);

/** Reads a feed's text, event by event: one item is held in full, the others as what is kept of them. */
export class FeedReader {
  readonly feed = new Draft();
  readonly items = new NewestItems();
  readonly #names = new Names();
  readonly #base: string | undefined;
  readonly #places: Place[] = ['document'];
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
    // One that came with such a character of its own has no stand-ins, and keeps it.
    const [inText, inCdata] = stood === text ? [asItIs, asItIs] : [asCharacters, asWritten];
    this.#inText = inText;
    parser.on('text', (piece) => this.#hear(inText(piece)));
    parser.on('cdata', (piece) => this.#hear(inCdata(piece)));
    parser.write(cutAttributes(stood)).close();
  }

  /** An HTML entity stays as it is written, and is read with the HTML around it. Any other error ends the reading. */
  #forgive(message: string): void {
    if (message.endsWith('undefined entity.') && this.#unknownEntities++ < LIMITS.unknownEntities) return;
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
    // HTML that nobody escaped is read as if somebody had.
    if (this.#reading) this.#hear(`<${name}>`);
    else if (place === 'text') this.#reading = { name, attributes, depth: this.#places.length };
    else if (place === 'item') this.#startItem(attributes);
    else if (place === 'feed') this.feed.tell('xml:lang', attributes['xml:lang'] ?? '');
    if (TELLING.has(around)) noteAttributes(this.#item ?? this.feed, name, attributes);
  }

  /** While they come in: an element of a million attributes is not waited for. */
  #countAttribute(): void {
    this.#attributes += 1;
    if (this.#attributes > LIMITS.attributes)
      refuse('too-many-attributes', `an element has over ${LIMITS.attributes} attributes`);
  }

  #check(name: string): void {
    this.#elements += 1;
    this.#elementsOfOne += 1;
    if (this.#elements > LIMITS.elements) refuse('too-large', `it has over ${LIMITS.elements} elements`);
    if (this.#elementsOfOne > LIMITS.elementsOfOne)
      refuse('too-large', `an item has over ${LIMITS.elementsOfOne} elements`);
    if (this.#places.length > LIMITS.depth) refuse('too-deep', `elements nest deeper than ${LIMITS.depth}`);
    if (this.#places.length > 1 || ROOTS.has(name)) return;
    const kind = name === 'html' ? 'a web page' : `XML of another kind, <${name.slice(0, 40)}>`;
    refuse('not-a-feed', `it is ${kind}: give the address of its RSS or Atom feed`);
  }

  #startItem(attributes: Attributes): void {
    this.#item = new Draft();
    this.#elementsOfOne = 0;
    this.#item.tell('rdf:about', attributes['rdf:about'] ?? '');
  }

  #hear(piece: string): void {
    if (this.#reading && this.#text.length < LIMITS.text)
      this.#text += piece.slice(0, LIMITS.text - this.#text.length);
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
