import type { IncomingHttpHeaders } from 'node:http';
import type { Sent } from './small-server.ts';

type Params = Map<string, string>;

/** What one request knows: its parameters, its host, and how links are written for it. */
export interface Call {
  params: Params;
  c: string;
  id: string;
  /** Who a proxy says it asks for. */
  forwardedFor: string;
  link(path: string): string;
}

const ECHOED = ['formats', 'partnerid', 'serial', 'locale', 'username', 'latlon'];
const SPELLED: Record<string, string> = { partnerid: 'partnerId' };

const escape = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;');

/** What a request says. */
export function parseQuery(url: string, headers: IncomingHttpHeaders): Call {
  const params: Params = new Map();
  const query = url.slice(url.indexOf('?') + 1).replace(/^[?&]+/, '');
  for (const [name, value] of new URLSearchParams(url.includes('?') ? query : ''))
    if (value !== '') params.set(name.toLowerCase(), value);
  const suffix = ECHOED.flatMap((name) => {
    const value = params.get(name);
    return value === undefined ? [] : [`&${SPELLED[name] ?? name}=${encodeURIComponent(value)}`];
  }).join('');
  const link = (path: string): string => {
    const [before = '', filter] = path.split('#');
    return escape(`http://${headers.host ?? ''}${before}${suffix}${filter ? `&filter=${filter}` : ''}`);
  };
  const forwardedFor = String(headers['x-forwarded-for'] ?? '');
  const c = (params.get('c') ?? '').toLowerCase();
  return { params, c, id: params.get('id') ?? '', forwardedFor, link };
}

const XML = { 'Content-Type': 'text/xml; charset=utf-8' };

export interface Page {
  title?: string;
  lines: string[];
  status?: number;
  fault?: string;
  code?: string;
  headers?: Record<string, string>;
}

export const fault = (status: number, code: string, text: string): Page => ({
  status,
  code,
  fault: text,
  lines: [],
});

export function writeXml({ title, lines, status = 200, fault: text, code, headers }: Page): Sent {
  const head = [
    title && `<title>${escape(title)}</title>`,
    `<status>${status}</status>`,
    text && `<fault>${escape(text)}</fault>`,
    code && `<fault_code>${code}</fault_code>`,
  ];
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<opml version="1">\n<head>\n${head.filter(Boolean).join('\n')}\n</head>\n<body>\n${lines.map((line) => `${line}\n`).join('')}</body>\n</opml>\n`;
  return { status: 200, headers: { ...XML, 'Cache-Control': 'private', ...headers }, body };
}

export const json = (body: unknown, status = '200'): Sent => ({
  status: 200,
  headers: { 'Content-Type': 'application/json; charset=utf-8' },
  body: JSON.stringify({ head: { status }, body }),
});
