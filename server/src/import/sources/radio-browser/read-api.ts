import { setTimeout as sleep } from 'node:timers/promises';
import { PRODUCT } from '../../../lib/version.ts';
import { SafeFetcher } from '../../../net/fetch/fetch-safely.ts';
import { operatorsChoice } from '../../../net/fetch/policy.ts';
import type { SourceItem } from '../../pipeline/import-stations.ts';
import { readRadioBrowser } from './record.ts';

/** The public servers answer a page of this size within seconds. */
const PAGE_SIZE = 5000;
/** Far more than come and go between two pages, or share an address. */
const OVERLAP = 100;
const DEADLINE_MS = 60_000;
const TRIES = 4;

/**
 * Every station of a radio-browser server, page by page. Stations come and go meanwhile, which shifts what follows
 * them, so a page begins with the end of the one before; what that one had is left out. Only the ids of one page are
 * kept.
 */
export async function* readRadioBrowserApi(
  baseUrl: string,
  { pageSize = PAGE_SIZE, overlap = OVERLAP } = {},
): AsyncGenerator<SourceItem> {
  let before: ReadonlySet<string> = new Set();
  for (let offset = 0; ; offset += pageSize - overlap) {
    const here = new Set<string>();
    let [count, fresh] = [0, 0];
    for await (const item of readRadioBrowser(await fetchPage(baseUrl, offset, pageSize))) {
      count += 1;
      if ('record' in item) {
        here.add(item.record.record);
        if (before.has(item.record.record)) continue;
        fresh += 1;
      }
      yield item;
    }
    // A server that does not support paging sends all of them each time.
    if (count < pageSize || fresh === 0) return;
    before = here;
  }
}

async function fetchPage(baseUrl: string, offset: number, limit: number): Promise<AsyncIterable<Uint8Array>> {
  const url = new URL('/json/stations', baseUrl);
  url.search = new URLSearchParams({
    // They know no order by id, and take one that they do not know for the name, which many share.
    order: 'url',
    offset: `${offset}`,
    limit: `${limit}`,
  }).toString();
  for (let tries = 1; ; tries += 1) {
    try {
      return await fetchOnce(url);
    } catch (error) {
      if (tries === TRIES) {
        throw new Error(
          `${url.origin} did not answer after ${TRIES} tries; run the import again later: what was imported stays`,
          {
            cause: error,
          },
        );
      }
      await sleep(1000 * 2 ** tries);
    }
  }
}

/** Room for all stations in one answer, with some to grow: a server may not support paging. */
const MAX_PAGE = 512 * 2 ** 20;
const fetcher = new SafeFetcher({
  policy: operatorsChoice,
  userAgent: `${PRODUCT} (directory import)`,
});

/** The page is read completely before it is used, so that a broken connection is retried from the start of the page. */
async function fetchOnce(url: URL): Promise<AsyncIterable<Uint8Array>> {
  const { status, body } = await fetcher.fetch(url.href, {
    headers: { accept: 'application/json' },
    deadlineMs: DEADLINE_MS,
    firstByteMs: DEADLINE_MS,
    maxWireBytes: MAX_PAGE,
    maxBytes: MAX_PAGE,
  });
  if (status !== 200) throw new Error(`${url.origin} answered ${status}`);
  return (async function* once() {
    yield body;
  })();
}
