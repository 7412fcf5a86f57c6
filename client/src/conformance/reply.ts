import type { IncomingHttpHeaders } from 'node:http';

export interface Asked {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Sent in the body of a POST. */
  form?: string | undefined;
}

/** What came back for one request. */
export interface Reply {
  request: Asked;
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The body as text; undefined when it is not UTF-8. */
export function textOf({ body }: Reply): string | undefined {
  try {
    return utf8.decode(body);
  } catch {
    return undefined;
  }
}

/** `text/xml` of `text/xml; charset=utf-8`. */
export const mediaType = ({ headers }: Reply): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** A line for a shell that makes the same request. */
export function curlLine({ url, headers, form }: Asked): string {
  const given = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)} `);
  const posted = form === undefined ? '' : `-k -d ${quoted(form)} `;
  return `curl -sS -i ${given.join('')}${posted}${quoted(url)}`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
