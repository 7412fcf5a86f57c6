import type { SaxesTagPlain } from 'saxes';
import { createXmlParser } from '../xml-parser.ts';

/** One element with its contents; names are without prefixes. */
export interface XmlElement {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: XmlElement[];
  /** The text directly inside. */
  text: string;
}

const MAX_DEPTH = 64;
const MAX_TEXT = 20_000;
/** Elements inside one collected element. */
const MAX_INSIDE = 5000;

interface Wanted {
  root: string;
  /** Which elements to collect, the outermost where they nest. */
  names: ReadonlySet<string>;
}

/** Visits the elements of a document one after the other, and keeps none of them. */
export function readElements(text: string, wanted: Wanted, visit: (element: XmlElement) => void): void {
  const parser = createXmlParser({ position: false });
  const collected = new Collected(wanted, visit);
  parser.on('error', (error) => {
    throw new Error(
      `the schedule is not well-formed XML: ${placeIn(text, parser.position)}: ${error.message}`,
    );
  });
  parser.on('doctype', refuseEntities);
  parser.on('opentag', (tag) => collected.open(elementOf(tag)));
  parser.on('closetag', () => collected.close());
  parser.on('text', (more) => collected.addText(more));
  parser.on('cdata', (more) => collected.addText(more));
  parser.write(withoutBreaks(text)).close();
}

/**
 * The parser re-joins a text at each of these, and in a schedule they are spaces. One for one: positions stay.
 * Separate expressions: V8 replaces a single character in one go.
 */
const withoutBreaks = (text: string): string =>
  text.replaceAll(/\t/g, ' ').replaceAll(/\r/g, ' ').replaceAll(/\n/g, ' ');

const [LINE_FEED, RETURN] = [0x0a, 0x0d];

/** Line and column of a position, as editors count them. */
function placeIn(text: string, position: number): string {
  let [line, start] = [1, 0];
  const end = Math.min(position, text.length);
  for (let at = 0; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === RETURN ? text.charCodeAt(at + 1) === LINE_FEED : code !== LINE_FEED) continue;
    line += 1;
    start = at + 1;
  }
  return `${line}:${end - start}`;
}

/** The element being collected, from itself to the innermost open one. */
class Collected {
  readonly #wanted: Wanted;
  readonly #visit: (element: XmlElement) => void;
  readonly #open: XmlElement[] = [];
  #depth = 0;
  #inside = 0;

  constructor(wanted: Wanted, visit: (element: XmlElement) => void) {
    this.#wanted = wanted;
    this.#visit = visit;
  }

  open(element: XmlElement): void {
    this.#depth += 1;
    this.#refuse(element);
    const around = this.#open.at(-1);
    if (!around && !this.#wanted.names.has(element.name)) return;
    this.#inside = around ? this.#inside + 1 : 0;
    if (this.#inside > MAX_INSIDE)
      throw new Error(`<${this.#open[0]?.name}> holds over ${MAX_INSIDE} elements: is this a schedule?`);
    around?.children.push(element);
    this.#open.push(element);
  }

  #refuse({ name }: XmlElement): void {
    if (this.#depth > MAX_DEPTH)
      throw new Error(`the schedule nests deeper than ${MAX_DEPTH} levels: flatten it`);
    if (this.#depth === 1 && name !== this.#wanted.root)
      throw new Error(
        `the schedule's root is <${name}>, not <${this.#wanted.root}>: choose the right --format`,
      );
  }

  close(): void {
    this.#depth -= 1;
    const element = this.#open.pop();
    if (element && this.#open.length === 0) this.#visit(element);
  }

  addText(more: string): void {
    const element = this.#open.at(-1);
    if (element && element.text.length < MAX_TEXT) element.text += more.slice(0, MAX_TEXT);
  }
}

/** XMLTV files name their DTD, which is never fetched; an internal one could define entities. */
function refuseEntities(doctype: string): void {
  if (doctype.includes('['))
    throw new Error(
      'the schedule defines its own DOCTYPE, which is refused because of entity attacks: remove it',
    );
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

const elementOf = ({ name, attributes }: SaxesTagPlain): XmlElement => ({
  name: localName(name),
  attributes: attributesOf(attributes),
  children: [],
  text: '',
});

/** Most elements have none. */
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

function attributesOf(attributes: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const said = Object.entries(attributes);
  return said.length === 0 ? NO_ATTRIBUTES : new Map(said.filter(([, value]) => value.length <= MAX_TEXT));
}

export const childrenOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child) => child.name === name);

/** The text of the first child of this name that has any. */
export function childText({ children }: XmlElement, name: string): string | undefined {
  for (const child of children) {
    const text = child.name === name ? child.text.trim() : '';
    if (text !== '') return text;
  }
  return undefined;
}
