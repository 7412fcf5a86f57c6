import { SaxesParser } from 'saxes';

export interface ReceivedAnswer {
  status: number;
  contentType: string;
  body: Buffer;
}

/** Refused by the HTTP parser itself, before there is a call: a raw byte in the address, an address too long. */
const isUnreadable = ({ status, body }: ReceivedAnswer): boolean =>
  (status === 400 || status === 431) && body.length === 0;

/** What is wrong with an answer, whatever was asked; undefined when it can be read and no fault of ours is in it. */
export function findFlaw(answer: ReceivedAnswer): string | undefined {
  const { status, contentType, body } = answer;
  if (status >= 500) return `HTTP status ${status}`;
  const [type = ''] = contentType.split(';');
  if (isUnreadable(answer) || /^(?:image\/|audio\/mpeg)/.test(type)) return undefined;
  const check = CHECKS.get(type);
  if (!check) return `unexpected type '${type}'`;
  try {
    return check(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    return `${type}: ${String(error)}`;
  }
}

const CHECKS: ReadonlyMap<string, (text: string) => string | undefined> = new Map([
  ['text/xml', checkXml],
  ['application/json', checkJson],
  ['text/javascript', checkScript],
  ['application/xspf+xml', checkPlaylist],
  [
    'audio/x-mpegurl',
    (text) => checkLines(text, /^(?:#.*|(?:https?|rtsp|rtmp|mms[ht]?):\/\/[^\s\p{Cc}]+)$/u),
  ],
  ['audio/x-scpls', (text) => checkLines(text, /^(?:\[playlist\]|\w+=[^\p{Cc}]*)$/u)],
  ['text/plain', () => undefined],
]);

function checkXml(text: string): string | undefined {
  if (!text.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<opml version="1">'))
    return 'not the envelope';
  parseXml(text);
  const [, status = ''] = /<status>(\d+)<\/status>/.exec(text) ?? [];
  return checkStatus(status, text);
}

function checkPlaylist(text: string): undefined {
  parseXml(text);
}

/** Throws where it is not well formed. */
export function parseXml(text: string): void {
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(text).close();
}

function checkJson(text: string): string | undefined {
  const { head, body }: { head: { status: unknown }; body: unknown } = JSON.parse(text);
  if (!Array.isArray(body)) return 'no body';
  return checkStatus(typeof head.status === 'string' ? head.status : '', text);
}

function checkScript(text: string): string | undefined {
  const [, json] = /^[A-Za-z_$][\w$.]*\((.*)\);$/s.exec(text) ?? [];
  if (json === undefined) return 'no call of a function';
  if (/[<\u2028\u2029]/.test(json)) return 'may end the script it stands in';
  return checkJson(json);
}

const checkStatus = (status: string, text: string): string | undefined =>
  /^[234]\d\d$/.test(status) ? undefined : `status ${status}: ${text.slice(0, 400)}`;

function checkLines(text: string, line: RegExp): string | undefined {
  if (!text.endsWith('\n')) return 'no line end at the end';
  const wrong = text
    .slice(0, -1)
    .split('\n')
    .find((one) => !line.test(one));
  return wrong === undefined ? undefined : `the line ${JSON.stringify(wrong)}`;
}
