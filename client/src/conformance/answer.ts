import { expect, Mismatch, shorten } from './expect.ts';
import { parseOpml, type OpmlDocument } from './opml.ts';
import { curlLine, mediaType, textOf, type Reply } from './reply.ts';
import { parseJson } from '../parse-json.ts';
import { XmlError } from '../xml/characters.ts';

export interface Answer {
  reply: Reply;
  document: OpmlDocument;
}

export interface JsonAnswer {
  reply: Reply;
  head: Readonly<Record<string, unknown>>;
  body: readonly JsonItem[];
}

export type JsonItem = Readonly<Record<string, unknown>>;

/** A link as an address; one that is none breaks the statement, not the kit. */
export function addressOf(link: string): URL {
  const address = URL.parse(link, 'http://radio.test');
  if (!address) throw new Mismatch('a link that is an address', shorten(link));
  return address;
}

/** What of a link is asked of this server. */
export function pathOf(link: string): string {
  const { pathname, search } = addressOf(link);
  return pathname + search;
}

/** An OPML document of any status, or a mismatch that says why it is none. */
export function documentOf(reply: Reply): Answer {
  expect(reply, reply.status === 200, 'HTTP status 200', `HTTP status ${reply.status}`);
  const text = textOf(reply);
  expect(reply, text !== undefined, 'a body in UTF-8', `bytes that are not UTF-8`);
  return { reply, document: wellFormed(reply, text) };
}

function wellFormed(reply: Reply, text: string): OpmlDocument {
  try {
    return parseOpml(text);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    const came = shorten(`${error.message}: ${text}`);
    throw new Mismatch('a well-formed OPML document', came, curlLine(reply.request));
  }
}

/** The same, of status 200. */
export function successOf(answer: Answer): Answer {
  const { status, fault = '' } = answer.document;
  expect(answer.reply, status === '200', 'status 200 in the head', `status '${status}' ${fault}`);
  return answer;
}

export function jsonOf(reply: Reply): JsonAnswer {
  expect(reply, reply.status === 200, 'HTTP status 200', `HTTP status ${reply.status}`);
  const text = textOf(reply) ?? '';
  const type = mediaType(reply);
  expect(reply, type === 'application/json', 'Content-Type: application/json', type);
  const value = tryParseJson(text);
  const { head, body } = isItem(value) ? value : {};
  expect(reply, isItem(head) && Array.isArray(body), '{"head":{…},"body":[…]}', text);
  return { reply, head, body: body.filter(isItem) };
}

function tryParseJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

export const isItem = (value: unknown): value is JsonItem =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
