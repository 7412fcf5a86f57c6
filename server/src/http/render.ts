import { type ByteText, byteText } from '../opml/byte-text.ts';
import { compileJson, compileXml, splice, wrapInCallback } from '../opml/compile.ts';
import type { OpmlDocument } from '../opml/document.ts';
import type { Answer, MenuAnswer } from './endpoint.ts';
import type { Render } from './reading.ts';
import type { CallerLinks } from './caller-links.ts';
import type { MenuCache } from './menu-cache.ts';

/** How one caller wants its answer. Decided by parameters alone: devices send an Accept they do not mean. */
export interface Wish {
  render: Render;
  /** The script function to wrap JSON in. */
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

export function renderAnswer(answer: Answer, wish: Wish, menus: MenuCache): Rendered {
  if ('menu' in answer) return renderMenu(answer, wish, menus);
  if ('outlines' in answer) return renderDocument(answer, wish);
  if ('playlist' in answer) {
    return {
      contentType: answer.contentType,
      body: byteText(answer.playlist.map((line) => `${line}\n`).join('')),
    };
  }
  if ('bytes' in answer) return { contentType: answer.contentType, body: answer.bytes };
  return { contentType: 'text/plain', body: NOTHING };
}

function renderMenu(answer: MenuAnswer, { render, callback, links }: Wish, menus: MenuCache): Rendered {
  if (render === 'xml') return { contentType: XML, body: menus.bytes(answer, render, links) };
  if (callback === undefined) return { contentType: JSON_TYPE, body: menus.bytes(answer, render, links) };
  const wrapped = wrapInCallback(menus.chunks(answer, render, links.origin), callback);
  return { contentType: SCRIPT, body: splice(wrapped, links.suffix) };
}

function renderDocument(document: OpmlDocument, { render, callback, links }: Wish): Rendered {
  const { origin, suffix } = links;
  if (render === 'xml') return { contentType: XML, body: splice(compileXml(document, origin), suffix) };
  const chunks = compileJson(document, origin);
  if (callback === undefined) return { contentType: JSON_TYPE, body: splice(chunks, suffix) };
  return { contentType: SCRIPT, body: splice(wrapInCallback(chunks, callback), suffix) };
}
