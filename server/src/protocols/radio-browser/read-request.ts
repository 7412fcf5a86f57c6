import type { IncomingMessage } from 'node:http';
import { tryParseJson } from '../../lib/parse-json.ts';
import { decodeComponent } from '../../net/http/decode-component.ts';
import type { Peer } from '../../net/http/caller/peer.ts';

/** A request of the API: `/{format}/{command}[/{more}…]` and parameters from the address or the body. */
export interface ApiRequest {
  format: string;
  path: readonly string[];
  /** By name in lower case. */
  params: ReadonlyMap<string, string>;
  /** As it came in, for clients that put an address there unescaped. */
  rawQuery: string;
  peer: Peer;
  /** Only the headers of the answer are wanted: nothing is counted. */
  isHead: boolean;
}

const MAX_PARAMS = 64;

/** What a body says wins over the address. */
export function readApiRequest(
  { url = '/', headers, method }: IncomingMessage,
  body: unknown,
  peer: Peer,
): ApiRequest {
  const mark = url.indexOf('?');
  const rawQuery = mark === -1 ? '' : url.slice(mark + 1);
  const segments = (mark === -1 ? url : url.slice(0, mark)).replace(/^\/+(?:v2\/+)?/i, '').split('/');
  const [format = '', ...path] = segments.map(decodeSegment);
  const params = new Map<string, string>();
  const text = Buffer.isBuffer(body) ? body.toString('latin1') : '';
  for (const [name, value] of [...parsePairs(rawQuery), ...parseBody(text, headers['content-type'] ?? '')])
    params.set(name.toLowerCase(), value);
  return { format: format.toLowerCase(), path, params, rawQuery, peer, isHead: method === 'HEAD' };
}

/** In a path a plus stands for itself: `bycodec/AAC+`. */
const decodeSegment = (text: string): string => decodeComponent(text.replaceAll('+', '%2B')) ?? '';

function parseBody(text: string, contentType: string): [string, string][] {
  if (text === '') return [];
  if (/^application\/x-www-form-urlencoded/i.test(contentType)) return parsePairs(text);
  if (!/^application\/json/i.test(contentType)) return [];
  const value = tryParseJson(Buffer.from(text, 'latin1').toString());
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value)
    .slice(0, MAX_PARAMS)
    .map(([name, field]) => [name, Array.isArray(field) ? field.map(wordOf).join(',') : wordOf(field)]);
}

const wordOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? `${value}` : '';

const parsePairs = (text: string): [string, string][] =>
  text
    .split('&', MAX_PARAMS)
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const [name, value] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
      return [decodeComponent(name) ?? '', decodeComponent(value) ?? ''];
    });

/** Empty where it is not said. */
export const textParam = ({ params }: ApiRequest, name: string): string =>
  params.get(name.toLowerCase()) ?? '';

/** Undefined where it is not said. */
export const flagOf = (request: ApiRequest, name: string): boolean | undefined => {
  const text = textParam(request, name).toLowerCase();
  return text === '' ? undefined : text === 'true' || text === '1';
};

export function numberParam(request: ApiRequest, name: string): number | undefined {
  const text = textParam(request, name).trim();
  const number = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

interface Sliceable<Rows> {
  readonly length: number;
  slice(start: number, end: number): Rows;
}

/** The rows that were asked for, from `offset` on; all without a `limit`. */
export function pageOf<Rows extends Sliceable<Rows>>(
  rows: Rows,
  request: ApiRequest,
  limit = numberParam(request, 'limit'),
): Rows {
  const start = Math.max(0, Math.trunc(numberParam(request, 'offset') ?? 0));
  return rows.slice(start, start + Math.max(0, Math.trunc(limit ?? rows.length)));
}
