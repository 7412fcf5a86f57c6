import { type ByteText, byteText } from '../opml/byte-text.ts';
import { compose, fillIn, wrapInCallback } from '../opml/compile.ts';
import type { OpmlDocument } from '../opml/document.ts';
import type { TakeRoom } from '../opml/lay-out.ts';
import { markSaved } from '../opml/mark-saved.ts';
import type { Answer, MenuAnswer } from './endpoint.ts';
import type { Render } from './reading.ts';
import type { CallerLinks } from './caller-links.ts';
import type { MenuCache } from './menu-cache.ts';
import { takeScratch } from './scratch.ts';

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
  const rendered = renderForAll(answer, wish, menus);
  if (answer.saved === undefined || !('menu' in answer || 'outlines' in answer)) return rendered;
  return { ...rendered, body: markSaved(rendered.body, wish.render, answer.saved) };
}

function renderForAll(answer: Answer, wish: Wish, menus: MenuCache): Rendered {
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

function renderMenu(answer: MenuAnswer, wish: Wish, menus: MenuCache): Rendered {
  const { render, callback, links } = wish;
  if (callback !== undefined) return renderDocument(answer.document(), wish);
  return { contentType: render === 'xml' ? XML : JSON_TYPE, body: menus.bytes(answer, render, links) };
}

export function renderDocument(
  document: OpmlDocument,
  { render, callback, links }: Wish,
  takeRoom: TakeRoom = takeScratch,
): Rendered & { body: Buffer } {
  const { origin, suffix } = links;
  const written = compose(render, document, origin);
  if (render === 'xml') return { contentType: XML, body: fillIn(written, suffix, takeRoom) };
  if (callback === undefined) return { contentType: JSON_TYPE, body: fillIn(written, suffix, takeRoom) };
  return { contentType: SCRIPT, body: fillIn(wrapInCallback(written, callback), suffix, takeRoom) };
}
