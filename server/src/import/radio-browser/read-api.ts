import { setTimeout as sleep } from 'node:timers/promises';
import { SafeFetcher } from '../../lib/fetch-safely/fetch-safely.ts';
import { operatorsChoice } from '../../lib/fetch-safely/policy.ts';
import type { SourceItem } from '../../intake/import-stations.ts';
import { readRadioBrowser } from './read-file.ts';

/** The size that the public servers answer within seconds. */
const PAGE_SIZE = 5000;
const DEADLINE_MS = 60_000;
const TRIES = 4;

/** Every station of a radio-browser server, page by page in a fixed order, so that none is missed while others change. */
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
          `${url.origin} did not answer after ${TRIES} tries; run the import again later: what came in stays`,
          {
            cause: error,
          },
        );
      }
      await sleep(1000 * 2 ** tries);
    }
  }
}

/** Every station there is, with room to grow, in one answer; a server may not know pages. */
const LARGEST_PAGE = 512 * 2 ** 20;
const fetcher = new SafeFetcher({
  policy: operatorsChoice,
  userAgent: 'longwave/0.1 (directory import)',
});

/** The page is read whole before it is used, so that a connection that breaks is tried again from its start. */
async function fetchOnce(url: URL): Promise<AsyncIterable<Uint8Array>> {
  const { status, body } = await fetcher.fetch(url.href, {
    headers: { accept: 'application/json' },
    deadlineMs: DEADLINE_MS,
    firstByteMs: DEADLINE_MS,
    maxWireBytes: LARGEST_PAGE,
    maxBytes: LARGEST_PAGE,
  });
  if (status !== 200) throw new Error(`${url.origin} answered ${status}`);
  return (async function* once() {
    yield body;
  })();
}
