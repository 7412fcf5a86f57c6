import { Fault } from '../../lib/fault.ts';
import type { FileCall } from '../../net/http/endpoints/file-endpoint.ts';

const FORMATS = ['m3u', 'm3u8', 'pls', 'xspf', 'opml', 'xml', 'rss'] as const;
export type PlayerFormat = (typeof FORMATS)[number];

/** What a list is of, by its path: `g12.m3u`, `search.pls?query=jazz`, `lwl_…/presets.xml`. */
export interface ListRequest {
  /** A guide ID, a genre's name, a country's code, `search` or `presets`; in lower case. */
  what: string;
  /** Of presets: the secret that says whose. */
  token: string | undefined;
  /** Of a search. */
  text: string;
  format: PlayerFormat;
  offset: number;
  limit: number;
}

/** As long as a page of any other list. */
const MAX_ENTRIES = 1000;
const MAX_TEXT = 200;
const FILE = /^(?:([^/]+)\/)?([\w-]{1,60})\.(\w{1,5})$/;

export function readListRequest({ file, query }: Pick<FileCall, 'file' | 'query'>): ListRequest {
  const [, token, name = '', ending = ''] = FILE.exec(file) ?? [];
  const what = name.toLowerCase();
  const format = FORMATS.find((known) => known === ending.toLowerCase());
  if (what === '' || (token !== undefined && what !== 'presets'))
    throw new Fault(
      404,
      undefined,
      'There is no such list; one is named like /lists/jazz.m3u (docs/lists.md)',
    );
  if (!format) throw new Fault(404, undefined, `Lists end in one of ${FORMATS.join(', ')}`);
  const text = (query.get('query') ?? query.get('q') ?? '').toWellFormed().trim();
  if (what === 'search' && (text === '' || text.length > MAX_TEXT))
    throw new Fault(400, undefined, `Say what to search for in at most ${MAX_TEXT} characters: ?query=jazz`);
  return {
    what,
    token,
    text: what === 'search' ? text : '',
    format,
    offset: numberIn(query, 'offset', 0, Number.MAX_SAFE_INTEGER) ?? 0,
    limit: numberIn(query, 'limit', 1, MAX_ENTRIES) ?? MAX_ENTRIES,
  };
}

function numberIn(query: URLSearchParams, name: string, least: number, most: number): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least) return Math.min(number, most);
  throw new Fault(400, undefined, `'${name}' is a whole number from ${least} on`);
}

/** The address of a list, below the host: of the same things in another format, or from another place on. */
export function listPath(
  { what, token, text, offset, limit }: ListRequest,
  format: PlayerFormat,
  from = offset,
): string {
  const query = new URLSearchParams();
  if (text !== '') query.set('query', text);
  if (from > 0) query.set('offset', String(from));
  if (limit < MAX_ENTRIES) query.set('limit', String(limit));
  const path = `/lists/${token === undefined ? '' : `${encodeURIComponent(token)}/`}${what}.${format}`;
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}
