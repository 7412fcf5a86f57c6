import { addAttributes, ATTRIBUTE_NAMES, fieldName } from './attributes.ts';
import { type ByteText, byteText, textOf } from './byte-text.ts';
import { escapeXml } from './characters.ts';
import {
  type DescribedObject,
  type FieldValue,
  headOf,
  type OpmlDocument,
  type Outline,
  shownChildren,
  shownOutlines,
} from './document.ts';
import type { Links } from './links.ts';
import { type Notation, type Part, Parts, textsOf } from './parts.ts';

/** The document as text; the bytes that are sent come from the same parts. */
export const writeXml = (document: OpmlDocument, links: Links): string =>
  textOf(textsOf(xmlParts(document, links.origin)).join(xmlBytes(links.suffix)));

/** Characters that need no escaping. */
const PLAIN = /^[ !#-%(-;=?-~]*$/;

/** Links; the only one of the five that they contain. */
const WITH_AMPERSANDS = /^[ !#-&(-;=?-~]*$/;

/** A text escaped for XML, as bytes. */
export function xmlBytes(text: string): ByteText {
  if (PLAIN.test(text)) return text;
  return WITH_AMPERSANDS.test(text) ? text.replaceAll('&', '&amp;') : byteText(escapeXml(text));
}

const STARTS = new Map(ATTRIBUTE_NAMES.map((name) => [name, ` ${name}="`]));
const XML: Notation = {
  escape: xmlBytes,
  attributeStart: (name) => STARTS.get(name) ?? ` ${name}="`,
  name: 'xml',
  separator: '',
};

/** The document's bytes, cut wherever a caller's suffix goes. */
export function xmlParts(document: OpmlDocument, origin: string): Part[] {
  const parts = new Parts(origin, XML);
  parts.markup('<?xml version="1.0" encoding="UTF-8"?>\n<opml version="1">\n');
  parts.markup(`\t<head>\n${headText(document)}\t</head>\n\t<body>\n`);
  for (const outline of shownOutlines(document.outlines)) add(parts, outline);
  for (const outline of document.explain ?? []) add(parts, outline);
  parts.markup('\t</body>\n</opml>\n');
  return parts.finish();
}

/**
 * With tabs, and the blank line of a success, as radios have always received them. A fault is repeated as the title.
 */
function headText(document: OpmlDocument): ByteText {
  const { title, status, fault, faultCode } = headOf(document);
  const failure = headElement('fault', fault) + headElement('fault_code', faultCode);
  return headElement('title', fault ?? title) + headElement('status', status) + (failure || '\n');
}

const headElement = (name: string, text: string | undefined): string =>
  text ? `\t<${name}>${xmlBytes(text)}</${name}>\n` : '';

function add(parts: Parts, outline: Outline): void {
  if (outline.run) parts.run(outline.run, addOutline);
  else if (!parts.shared(outline, addOutline)) addOutline(parts, outline);
}

function addOutline(parts: Parts, outline: Outline): void {
  const children = shownChildren(outline);
  parts.markup('<outline');
  addAttributes(parts, outline);
  if (children.length === 0 && !outline.object) return parts.markup('/>\n');
  parts.markup('>\n');
  if (outline.object) addObject(parts, outline.object);
  for (const child of children) add(parts, child);
  parts.markup('</outline>\n');
}

function addObject(parts: Parts, { element, fields }: DescribedObject): void {
  parts.markup(`<${element}>\n`);
  for (const [name, value] of fields) addField(parts, fieldName(name), value);
  parts.markup(`</${element}>\n`);
}

/** A field without a value keeps its element: clients rely on finding it. */
function addField(parts: Parts, name: string, value: FieldValue): void {
  if (value === null || value === '') return parts.markup(`<${name}/>\n`);
  parts.markup(`<${name}>`);
  parts.value(typeof value === 'object' ? value : String(value));
  parts.markup(`</${name}>\n`);
}
