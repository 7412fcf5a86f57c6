import { type Links } from '../opml/links.ts';
import { splice, wrapInCallback } from '../opml/compile.ts';
import type { OpmlDocument } from '../opml/document.ts';
import { writeJson, writeJsonp } from '../opml/write-json.ts';
import { writeXml } from '../opml/write-xml.ts';
import type { Answer, Render } from './endpoint.ts';
import type { Menu } from './menu.ts';

/** How one caller wants its answer. Decided by parameters alone: devices send an Accept they do not mean. */
export interface Wish {
  render: Render;
  /** The script function to wrap JSON in. */
  callback: string | undefined;
  links: Links;
}

export interface Rendered {
  contentType: string;
  body: Buffer | string;
}

const XML = 'text/xml; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const NOTHING = Buffer.alloc(0);

export function renderAnswer(answer: Answer, wish: Wish): Rendered {
  if ('menu' in answer) return renderMenu(answer.menu, wish);
  if ('outlines' in answer) return renderDocument(answer, wish);
  if ('playlist' in answer) {
    return { contentType: answer.contentType, body: answer.playlist.map((line) => `${line}\n`).join('') };
  }
  if ('bytes' in answer) return { contentType: answer.contentType, body: answer.bytes };
  return { contentType: 'text/plain', body: NOTHING };
}

function renderMenu(menu: Menu, { render, callback, links }: Wish): Rendered {
  if (render === 'xml') return { contentType: XML, body: splice(menu.xml, links.suffix) };
  if (callback === undefined) return { contentType: JSON_TYPE, body: splice(menu.json, links.suffix) };
  return { contentType: SCRIPT, body: splice(wrapInCallback(menu.json, callback), links.suffix) };
}

function renderDocument(document: OpmlDocument, { render, callback, links }: Wish): Rendered {
  if (render === 'xml') return { contentType: XML, body: writeXml(document, links) };
  if (callback === undefined) return { contentType: JSON_TYPE, body: writeJson(document, links) };
  return { contentType: SCRIPT, body: writeJsonp(document, links, callback) };
}
