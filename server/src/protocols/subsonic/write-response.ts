import { cleanMarkupText, escapeXml } from '../../formats/opml/characters.ts';
import { VERSION } from '../../lib/version.ts';
import type { Reply } from '../../net/http/respond.ts';

/** A node of an answer: scalars are attributes in XML, lists are repeated elements. `value` is an element's text. */
export interface ResponseNode {
  readonly [name: string]: Scalar | ResponseNode | readonly (ResponseNode | Scalar)[] | undefined;
}
type Scalar = string | number | boolean;

export type ResponseFormat = 'xml' | 'json' | { callback: string };

/** What apps are told that we speak. */
const API_VERSION = '1.16.1';
const NAMESPACE = 'http://subsonic.org/restapi';

/** The name of a function, and nothing that a browser could run. */
const CALLBACK = /^[\w$.]{1,100}$/;

export function readFormat(format: string | undefined, callback: string | undefined): ResponseFormat {
  if (format === 'json') return 'json';
  return format === 'jsonp' && callback !== undefined && CALLBACK.test(callback) ? { callback } : 'xml';
}

export const okNode = (content: ResponseNode = {}): ResponseNode => ({ ...head('ok'), ...content });

export const errorNode = (code: number, message: string): ResponseNode => ({
  ...head('failed'),
  error: { code, message },
});

const head = (status: string): ResponseNode => ({
  status,
  version: API_VERSION,
  type: 'longwave',
  serverVersion: VERSION,
  openSubsonic: true,
});

const PRIVATE = { noStore: true };
/** Apps in a browser may read it: what they know is in the address, never in a cookie. */
const HEADERS = ['Access-Control-Allow-Origin', '*'];

export function writeResponse(node: ResponseNode, format: ResponseFormat): Reply {
  const common = { status: 200, lifetime: PRIVATE, ownHeaders: HEADERS };
  if (format === 'xml') {
    const text = `<?xml version="1.0" encoding="UTF-8"?>\n${writeElement('subsonic-response', { xmlns: NAMESPACE, ...node })}\n`;
    return {
      ...common,
      contentType: 'application/xml; charset=utf-8',
      body: Buffer.from(text.toWellFormed()),
    };
  }
  const json = JSON.stringify({ 'subsonic-response': node });
  return format === 'json'
    ? { ...common, contentType: 'application/json; charset=utf-8', body: Buffer.from(json) }
    : {
        ...common,
        contentType: 'text/javascript; charset=utf-8',
        body: Buffer.from(`${format.callback}(${json});`),
      };
}

function writeElement(name: string, node: ResponseNode): string {
  let [attributes, inside] = ['', ''];
  for (const [key, value] of Object.entries(node)) {
    if (value === undefined) continue;
    if (typeof value !== 'object' && key === 'value') inside += text(value);
    else if (typeof value !== 'object') attributes += ` ${key}="${text(value)}"`;
    else if (isList(value)) inside += value.map((each) => writeEach(key, each)).join('');
    else inside += writeElement(key, value);
  }
  return inside === '' ? `<${name}${attributes}/>` : `<${name}${attributes}>${inside}</${name}>`;
}

const isList = (
  value: ResponseNode | readonly (ResponseNode | Scalar)[],
): value is readonly (ResponseNode | Scalar)[] => Array.isArray(value);

const writeEach = (name: string, each: ResponseNode | Scalar): string =>
  typeof each === 'object' ? writeElement(name, each) : `<${name}>${text(each)}</${name}>`;

const text = (value: Scalar): string => escapeXml(cleanMarkupText(String(value)));
