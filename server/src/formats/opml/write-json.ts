import { addAttributes, ATTRIBUTE_NAMES, fieldName } from './attributes.ts';
import { type ByteText, byteText, textOf } from './byte-text.ts';
import { escapeJson } from './characters.ts';
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
export const writeJson = (document: OpmlDocument, links: Links): string =>
  textOf(textsOf(jsonParts(document, links.origin)).join(jsonBytes(links.suffix)));

/** A text escaped for JSON, as bytes. */
export const jsonBytes = (text: string): ByteText => byteText(escapeJson(text));

const CALLBACK = /^[A-Za-z_$][\w$.]{0,99}$/;

/** The name of the callback function of JSONP; undefined for anything that could be more than a name. */
export const parseCallback = (text: string): string | undefined => (CALLBACK.test(text) ? text : undefined);

/** The JSON is safe to embed in a script. */
export const writeJsonp = (document: OpmlDocument, links: Links, callback: string): string =>
  `${callback}(${writeJson(document, links)});`;

const STARTS = new Map(ATTRIBUTE_NAMES.map((name) => [name, `,"${name}":"`]));
const JSON_NOTATION: Notation = {
  escape: jsonBytes,
  attributeStart: (name) => STARTS.get(name) ?? `,"${name}":"`,
  name: 'json',
  separator: ',',
};

/** The document's bytes, cut wherever a caller's suffix goes. */
export function jsonParts(document: OpmlDocument, origin: string): Part[] {
  const parts = new Parts(origin, JSON_NOTATION);
  parts.markup(`{"head":{${headText(document)}},"body":[`);
  addOutlines(parts, shownOutlines(document.outlines));
  if (document.explain) {
    parts.markup('],"explain":[');
    addOutlines(parts, document.explain);
  }
  parts.markup(']}');
  return parts.finish();
}

function headText(document: OpmlDocument): ByteText {
  const { title, status, fault, faultCode } = headOf(document);
  return [
    ['title', title],
    ['status', status],
    ['fault', fault],
    ['fault_code', faultCode],
  ]
    .filter(([, text]) => text)
    .map(([name, text = '']) => `"${name}":"${jsonBytes(text)}"`)
    .join(',');
}

function addOutlines(parts: Parts, outlines: readonly Outline[]): void {
  let separator = '';
  for (const outline of outlines) {
    parts.markup(separator);
    separator = ',';
    if (outline.run) parts.run(outline.run, addOutline);
    else if (parts.shared(outline, addOutline)) continue;
    else if (outline.object) addObject(parts, outline.object);
    else addOutline(parts, outline);
  }
}

function addOutline(parts: Parts, outline: Outline): void {
  const children = shownChildren(outline);
  parts.markup('{"element":"outline"');
  addAttributes(parts, outline);
  if (children.length > 0 || outline.type === 'container') {
    parts.markup(',"children":[');
    addOutlines(parts, children);
    parts.markup(']');
  }
  parts.markup('}');
}

/** Clients look for a described item's fields beside `element`, with no outline around them. */
function addObject(parts: Parts, { element, fields }: DescribedObject): void {
  parts.markup(`{"element":"${element}"`);
  for (const [name, value] of fields) {
    parts.markup(`,"${fieldName(name)}":`);
    addField(parts, value);
  }
  parts.markup('}');
}

/** Unlike attributes, which are all strings, fields keep their type. */
function addField(parts: Parts, value: FieldValue): void {
  const isText = typeof value === 'string' || (typeof value === 'object' && value !== null);
  if (!isText) return parts.markup(JSON.stringify(value));
  parts.markup('"');
  parts.value(value);
  parts.markup('"');
}
