import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { snapshotName } from '../../core/directory/snapshot/snapshot.ts';
import { wordsForHeader } from '../../core/i18n/locale.ts';
import type { Words } from '../../core/i18n/words.ts';
import { Finder } from '../../core/search/finder.ts';
import { type FileAnswer, type FileCall, fileEndpoint } from '../../net/http/endpoints/file-endpoint.ts';
import type { Protocol } from '../../net/http/server.ts';
import { Feeds, RSS_TYPE } from './feed.ts';
import { findList, type ListSources } from './find-list.ts';
import { Guides, XMLTV_TYPE } from './guide.ts';
import { listPath, type ListRequest, readListRequest } from './read-request.ts';
import { entriesOf, ENTRY_WRITERS } from './write-entries.ts';

/** Lists are long; few of them are made at a time. */
const MAX_CONCURRENCY = 32;
/** A player that asks more often has the same list. What somebody saved is asked for at once. */
const MAX_AGE_SECONDS = 300;

/** Of lists that nothing but the directory decides about: some thousand pages of 50 stations. */
const KEPT_BYTES = 16 * 2 ** 20;

/** Lists for players: what the directory has, in the formats that they read by themselves. */
export function lists(deps: Omit<ListSources, 'finder'>): Protocol {
  const made = new Lists({ ...deps, finder: new Finder(deps.db) });
  return fileEndpoint({
    path: '/lists/*',
    maxConcurrency: MAX_CONCURRENCY,
    answer: (call) => made.answer(call),
  });
}

class Lists {
  readonly #sources: ListSources;
  readonly #guides: Guides;
  readonly #feeds: Feeds;
  readonly #kept = new LRUCache<string, FileAnswer>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ body }) => body.length,
  });

  constructor(sources: ListSources) {
    this.#sources = sources;
    this.#guides = new Guides(sources.db);
    this.#feeds = new Feeds(sources.db);
  }

  answer(call: FileCall): FileAnswer | Promise<FileAnswer> {
    const request = readListRequest(call);
    const { words, key } = this.#nameOf(call, request);
    return this.#kept.get(key) ?? this.#make(call, request, words, key);
  }

  /** All that a list of the directory depends on. */
  #nameOf({ headers, peer }: FileCall, request: ListRequest): { words: Words; key: string } {
    const words = wordsForHeader(headers['accept-language']);
    const state = snapshotName(this.#sources.directory.current());
    return { words, key: `${state} ${words.language} ${peer.origin}${listPath(request, request.format)}` };
  }

  async #make(call: FileCall, request: ListRequest, words: Words, key: string): Promise<FileAnswer> {
    const { origin, listenerAddress: callerAddress } = call.peer;
    const { format, token, offset, limit } = request;
    if (format === 'rss') return reply(RSS_TYPE, await this.#feeds.write(request, origin));
    const found = await findList(this.#sources, request, { words, callerAddress });
    const lifetime = { maxAgeSeconds: token === undefined ? MAX_AGE_SECONDS : 0 };
    const next = offset + limit;
    const more =
      next < found.total ? ['Link', `<${origin}${listPath(request, format, next)}>; rel="next"`] : [];
    const common = { lifetime, ownHeaders: [...HEADERS, ...more] };
    if (format === 'xml')
      return { ...reply(XMLTV_TYPE, await this.#guides.write(found, origin, words, call.now)), ...common };
    const { contentType, write } = ENTRY_WRITERS[format];
    const lines = write(found.title, entriesOf(found, origin), origin + listPath(request, 'xml'));
    const answer = { ...reply(contentType, lines), ...common, lastModified: found.lastModified };
    // The directory may have changed while it was read.
    if (found.lastModified && this.#nameOf(call, request).key === key) this.#kept.set(key, answer);
    return answer;
  }
}

/** Pages of any site may read lists: none depends on a cookie. The language of names is the caller's. */
const HEADERS = ['Access-Control-Allow-Origin', '*'];

function reply(contentType: string, lines: readonly string[]): FileAnswer {
  const body = Buffer.from(`${lines.join('\n')}\n`);
  const etag = `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;
  return { status: 200, contentType, body, etag, lifetime: { maxAgeSeconds: MAX_AGE_SECONDS } };
}
