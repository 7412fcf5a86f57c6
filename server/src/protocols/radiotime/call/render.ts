import { type ByteText, byteText } from '../../../formats/opml/byte-text.ts';
import { compose, fillIn, markSaved, type TakeRoom, wrapInCallback } from '../../../formats/opml/compile.ts';
import type { OpmlDocument } from '../../../formats/opml/document.ts';
import { Fault } from '../../../lib/fault.ts';
import type { Failure } from '../../../net/http/failure.ts';
import { takeScratch } from '../../../net/http/respond.ts';
import type { CallerLinks } from './caller.ts';
import type { Answer, MenuAnswer } from './endpoint.ts';
import type { MenuCache } from './menu-cache.ts';
import type { Render } from './parse-query.ts';

/** How to render the answer. Decided by parameters alone: devices send Accept headers they do not mean. */
export interface RenderOptions {
  render: Render;
  /** The JSONP function name. */
  callback: string | undefined;
  links: CallerLinks;
}

export interface Rendered {
  contentType: string;
  body: Buffer | ByteText;
}

const XML = 'text/xml; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const NOTHING = Buffer.alloc(0);

export const menuContentType = (render: Render): string => (render === 'xml' ? XML : JSON_TYPE);

export function renderAnswer(answer: Answer, options: RenderOptions, menus: MenuCache): Rendered {
  const rendered = renderForAll(answer, options, menus);
  if (answer.saved === undefined || !('menu' in answer || 'outlines' in answer)) return rendered;
  return { ...rendered, body: markSaved(rendered.body, options.render, answer.saved) };
}

function renderForAll(answer: Answer, options: RenderOptions, menus: MenuCache): Rendered {
  if ('menu' in answer) return renderMenu(answer, options, menus);
  if ('outlines' in answer) return renderDocument(answer, options);
  if ('playlist' in answer) {
    return {
      contentType: answer.contentType,
      body: byteText(answer.playlist.map((line) => `${line}\n`).join('')),
    };
  }
  if ('bytes' in answer) return { contentType: answer.contentType, body: answer.bytes };
  return { contentType: 'text/plain', body: NOTHING };
}

function renderMenu(answer: MenuAnswer, options: RenderOptions, menus: MenuCache): Rendered {
  const { render, callback, links } = options;
  if (callback !== undefined) return renderDocument(answer.document(), options);
  return { contentType: menuContentType(render), body: menus.bytes(answer, render, links) };
}

export function renderDocument(
  document: OpmlDocument,
  { render, callback, links }: RenderOptions,
  takeRoom: TakeRoom = takeScratch,
): Rendered & { body: Buffer } {
  const { origin, suffix } = links;
  const written = compose(render, document, origin);
  if (render === 'xml') return { contentType: XML, body: fillIn(written, suffix, takeRoom) };
  if (callback === undefined) return { contentType: JSON_TYPE, body: fillIn(written, suffix, takeRoom) };
  return { contentType: SCRIPT, body: fillIn(wrapInCallback(written, callback), suffix, takeRoom) };
}

export const unknownMethod = (): Fault => new Fault(404, 'api.methodNotFound', 'Invalid method');

/** An error as a document of the protocol. */
export const failureDocument = ({ status, code, message }: Failure): OpmlDocument & { noStore: true } => ({
  status,
  fault: message,
  faultCode: code,
  outlines: [],
  noStore: true,
});
