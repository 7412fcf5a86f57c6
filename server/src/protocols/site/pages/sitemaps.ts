import type { Snapshot } from '../../../core/directory/snapshot/snapshot.ts';
import type { PageAnswer, PageCall } from '../../../net/http/endpoints/page-endpoint.ts';
import { ReadThrough } from '../../../storage/cache/read-through.ts';
import { listShowParts, listShowsOfPart } from '../../../storage/catalog/shows/listed-shows.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import { escapeHtml } from './markup.ts';
import { packed } from './packed.ts';

/**
 * The sitemaps: an index, and parts of at most a thousand addresses, so that no answer grows with the directory.
 * Without `lastmod`: when the facts of a page last changed is not known, and a wrong date is worse than none.
 */
const PART = 1000;
const HOUR = 3_600_000;
const KINDS = ['stations', 'places', 'genres', 'languages'] as const;
type Kind = (typeof KINDS)[number];

interface SitemapDeps {
  directory: { current: () => Snapshot };
  db: Queryable;
}

/**
 * Pages and logos are for search engines. The directory is not: it is endless, and radios need it. What pages ask it
 * for is let through, since search engines run scripts too; nothing links to an answer in JSON.
 */
export const robotsAnswer = (origin: string): PageAnswer => ({
  status: 200,
  contentType: 'text/plain; charset=utf-8',
  body: Buffer.from(`User-agent: *
Allow: /listen/
Allow: /embed/
Allow: /logos/
Allow: /sitemap
Allow: /*.ashx?*render=json
Disallow: /listen/api/
Allow: /listen/api/session$
Allow: /listen/api/stations?
Disallow: /

Sitemap: ${origin}/sitemap.xml
`),
  cacheControl: 'public, max-age=86400',
});

export class Sitemaps {
  readonly #deps: SitemapDeps;
  /** Shows are in the database only: the numbers of their parts, each a thousand ids. */
  readonly #showParts: ReadThrough<number[]>;

  constructor(deps: SitemapDeps) {
    this.#deps = deps;
    this.#showParts = new ReadThrough({
      load: () => listShowParts(deps.db),
      most: 1,
      freshMs: HOUR,
      staleMs: 24 * HOUR,
    });
  }

  /** `/sitemap.xml`: the address of every part. */
  async index(call: PageCall, origin: string): Promise<PageAnswer> {
    const snapshot = this.#deps.directory.current();
    const names = KINDS.flatMap((kind) =>
      Array.from(
        { length: Math.ceil(addressesOf(snapshot)[kind].length / PART) },
        (_, at) => `${kind}-${at + 1}`,
      ),
    );
    const shows = await this.#showParts.get('all');
    const parts = [...names, ...shows.map((part) => `shows-${part}`)];
    const lines = parts.map(
      (name) => `<sitemap><loc>${escapeHtml(origin)}/sitemaps/${name}.xml</loc></sitemap>`,
    );
    return xmlAnswer('sitemapindex', lines, call);
  }

  /** `/sitemaps/stations-1.xml`; undefined where there is no such part. */
  async part(call: PageCall, origin: string): Promise<PageAnswer | undefined> {
    const [, kind, digits = ''] = /^\/sitemaps\/([a-z]+)-(\d{1,12})\.xml$/.exec(call.path) ?? [];
    const snapshot = this.#deps.directory.current();
    const addresses =
      kind === 'shows'
        ? (await listShowsOfPart(this.#deps.db, Number(digits))).map((id) => `/listen/show/p${id}`)
        : isKind(kind)
          ? addressesOf(snapshot)[kind].slice((Number(digits) - 1) * PART, Number(digits) * PART)
          : [];
    if (addresses.length === 0) return undefined;
    const lines = addresses.map((address) => `<url><loc>${escapeHtml(origin + address)}</loc></url>`);
    return xmlAnswer('urlset', lines, call);
  }
}

const isKind = (text: string | undefined): text is Kind => KINDS.some((kind) => kind === text);

const known = new WeakMap<Snapshot, Readonly<Record<Kind, readonly string[]>>>();
const addressesOf = (snapshot: Snapshot): Readonly<Record<Kind, readonly string[]>> =>
  known.getOrInsertComputed(snapshot, collect);

/** By id: a new station changes the last part only. */
function collect(snapshot: Snapshot): Record<Kind, readonly string[]> {
  const groups = (all: Iterable<{ id: number; ranks: Int32Array }>): number[] =>
    inOrder([...all].filter(({ ranks }) => ranks.length > 0).map(({ id }) => id));
  return {
    stations: inOrder(snapshot.stations.map(({ id }) => id)).map((id) => `/listen/station/s${id}`),
    places: groups(snapshot.regionById.values()).map((id) => `/listen/browse?id=r${id}`),
    genres: groups(snapshot.genreById.values()).map((id) => `/listen/browse?id=g${id}`),
    languages: groups(snapshot.languages).map((id) => `/listen/browse?c=lang&filter=l${id}`),
  };
}

const inOrder = (ids: number[]): number[] => ids.toSorted((a, b) => a - b);

function xmlAnswer(
  element: 'urlset' | 'sitemapindex',
  lines: readonly string[],
  { headers }: PageCall,
): PageAnswer {
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<${element} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${lines.join('\n')}
</${element}>
`;
  return {
    status: 200,
    contentType: 'application/xml; charset=utf-8',
    ...packed(text, headers['accept-encoding']),
    cacheControl: 'public, max-age=3600',
  };
}
