import { setTimeout as sleep } from 'node:timers/promises';
import { PRODUCT } from '../../../lib/version.ts';
import { SafeFetcher } from '../../../net/fetch/fetch-safely.ts';
import { operatorsChoice } from '../../../net/fetch/policy.ts';
import type { SourceItem } from '../../pipeline/import-stations.ts';
import { readRadioBrowser } from './record.ts';

/** The public servers answer a page of this size within seconds. */
const PAGE_SIZE = 5000;
const DEADLINE_MS = 60_000;
const TRIES = 4;

/**
 * Every station of a radio-browser server, page by page in a fixed order, so that none is missed while others change.
 */
export async function* readRadioBrowserApi(
  baseUrl: string,
  pageSize = PAGE_SIZE,
): AsyncGenerator<SourceItem> {
  for (let offset = 0; ; offset += pageSize) {
    let count = 0;
    for await (const item of readRadioBrowser(await fetchPage(baseUrl, offset, pageSize))) {
      count += 1;
      yield item;
    }
    if (count < pageSize) return;
  }
}

async function fetchPage(baseUrl: string, offset: number, limit: number): Promise<AsyncIterable<Uint8Array>> {
  const url = new URL('/json/stations', baseUrl);
  url.search = new URLSearchParams({
    order: 'stationuuid',
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
