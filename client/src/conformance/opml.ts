import { XmlError } from '../xml/characters.ts';
import { parseXml, type XmlElement } from '../xml/parse.ts';

export interface WireOutline {
  attributes: ReadonlyMap<string, string>;
  children: readonly WireOutline[];
  /** What a described item holds: `station`, `show`, `topic`. */
  object: XmlElement | undefined;
}

export interface OpmlDocument {
  version: string;
  /** The elements of the head in their order. */
  head: readonly (readonly [name: string, text: string])[];
  title: string | undefined;
  status: string;
  fault: string | undefined;
  faultCode: string | undefined;
  outlines: readonly WireOutline[];
}

/** The document of an answer; an XmlError when it is not XML or not OPML. */
export function parseOpml(text: string): OpmlDocument {
  const root = parseXml(text);
  const [head, body, ...more] = root.children;
  if (root.name !== 'opml') throw new XmlError(`the root is <${root.name}>, not <opml>`);
  if (head?.name !== 'head' || body?.name !== 'body' || more.length > 0)
    throw new XmlError('<opml> must hold <head> and then <body>, and nothing else');
  const field = (name: string): string | undefined => head.children.find((c) => c.name === name)?.text;
  return {
    version: root.attributes.get('version') ?? '',
    head: head.children.map((child) => [child.name, child.text]),
    title: field('title'),
    status: field('status') ?? '',
    fault: field('fault'),
    faultCode: field('fault_code'),
    outlines: body.children.map(readOutline),
  };
}

function readOutline(element: XmlElement): WireOutline {
  if (element.name !== 'outline') throw new XmlError(`<${element.name}> stands among the outlines`);
  const inner = element.children.filter(({ name }) => name === 'outline');
  const object = element.children.find(({ name }) => name !== 'outline');
  return { attributes: element.attributes, children: inner.map(readOutline), object };
}

/** Every outline, at any depth. */
export const everyWireOutline = (outlines: readonly WireOutline[]): WireOutline[] =>
  outlines.flatMap((outline) => [outline, ...everyWireOutline(outline.children)]);

export const attribute = (outline: WireOutline, name: string): string => outline.attributes.get(name) ?? '';

export const field = (object: XmlElement, name: string): string | undefined =>
  object.children.find((child) => child.name === name)?.text;

export const isStation = (outline: WireOutline): boolean =>
  attribute(outline, 'type') === 'audio' && /^s\d+$/.test(attribute(outline, 'guide_id'));

export const isShow = (outline: WireOutline): boolean =>
  attribute(outline, 'type') === 'link' && /^p\d+$/.test(attribute(outline, 'guide_id'));

export const isTopic = (outline: WireOutline): boolean => /^t\d+$/.test(attribute(outline, 'guide_id'));

export const isLink = (outline: WireOutline): boolean => attribute(outline, 'type') === 'link';

/** An outline as a person reads it in a report. */
export const describe = (outline: WireOutline): string =>
  `<outline ${[...outline.attributes].map(([name, value]) => `${name}="${value}"`).join(' ')}>`;
