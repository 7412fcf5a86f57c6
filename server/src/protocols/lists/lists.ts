import { hash } from 'node:crypto';
import { wordsForHeader } from '../../core/i18n/locale.ts';
import { Finder } from '../../core/search/finder.ts';
import { Fault } from '../../lib/fault.ts';
import { type FileAnswer, type FileCall, fileEndpoint } from '../../net/http/file-endpoint.ts';
import type { Protocol } from '../../net/http/server.ts';
import { Feeds, RSS_TYPE } from './feed.ts';
import { findList, type ListSources } from './find-list.ts';
import { Guides, XMLTV_TYPE } from './guide.ts';
import { listPath, readListRequest } from './read-request.ts';
import { entriesOf, ENTRY_WRITERS } from './write-entries.ts';

/** Lists are long; few of them are made at a time. */
const MAX_CONCURRENCY = 32;
/** A player that asks more often has the same list. What somebody saved is asked for at once. */
const MAX_AGE_SECONDS = 300;

/** Lists for players: what the directory has, in the formats that they read by themselves. */
export function lists(deps: Omit<ListSources, 'finder'>): Protocol {
  const sources: ListSources = { ...deps, finder: new Finder(deps.db) };
  const [guides, feeds] = [new Guides(deps.db), new Feeds(deps.db)];
  return fileEndpoint({
    path: '/lists/*',
    maxConcurrency: MAX_CONCURRENCY,
    answer: (call) => answer(call, sources, guides, feeds),
  });
}

async function answer(
  call: FileCall,
  sources: ListSources,
  guides: Guides,
  feeds: Feeds,
): Promise<FileAnswer> {
  const { origin } = call.peer;
  const file = readListRequest(call);
  const { format, token } = file;
  if (format === 'rss' && token === undefined) return reply(RSS_TYPE, await feeds.write(file, origin));
  if (format === 'rss')
    throw new Fault(404, undefined, 'Presets have no feed; ask for m3u, pls, xspf, opml or xml');
  const words = wordsForHeader(call.headers['accept-language']);
  const found = await findList(sources, file, words);
  const lifetime = { maxAgeSeconds: token === undefined ? MAX_AGE_SECONDS : 0 };
  const next = file.offset + file.limit;
  const more = next < found.total ? `<${origin}${listPath(file, format, next)}>; rel="next"` : undefined;
  const made = { lifetime, ownHeaders: [...HEADERS, ...(more === undefined ? [] : ['Link', more])] };
  if (format === 'xml')
    return { ...reply(XMLTV_TYPE, await guides.write(found, origin, words, call.now)), ...made };
  const { contentType, write } = ENTRY_WRITERS[format];
  const lines = write(found.title, entriesOf(found, origin), origin + listPath(file, 'xml'));
  return { ...reply(contentType, lines), ...made, lastModified: found.lastModified };
}

/** Pages of any site may read lists: none depends on a cookie. The language of names is the caller's. */
const HEADERS = ['Access-Control-Allow-Origin', '*'];

function reply(contentType: string, lines: readonly string[]): FileAnswer {
  const body = Buffer.from(`${lines.join('\n')}\n`);
  const etag = `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;
  return { status: 200, contentType, body, etag, lifetime: { maxAgeSeconds: MAX_AGE_SECONDS } };
}
