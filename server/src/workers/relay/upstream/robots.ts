import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { decodeText } from '../../../formats/decode-text.ts';
import { isAllowedBy, parseRobots } from '../../../formats/robots-txt.ts';
import { PRODUCT } from '../../../lib/version.ts';
import type { SafeFetcher } from '../../../net/fetch/fetch-safely.ts';

/** Our name in robots.txt. */
const NAME = 'Longwave-Relay';
/** Hosts whose rules are kept, for a day. */
const KEPT = { max: 5000, ttl: 86_400_000 };
const LIMITS = { deadlineMs: 5000, maxBytes: 64 * 1024, maxWireBytes: 64 * 1024 };
/** A radio does not wait longer for a host that is slow to say it. */
const MAX_WAIT_MS = 1000;

/** What the hosts of streams say about us in their robots.txt, asked once a day. Those that say nothing allow it. */
export class Robots {
  readonly #fetcher: SafeFetcher;
  readonly #kept = new LRUCache<string, Promise<ReturnType<typeof parseRobots>>>(KEPT);

  constructor(fetcher: SafeFetcher) {
    this.#fetcher = fetcher;
  }

  async allow(address: string): Promise<boolean> {
    const url = URL.parse(address);
    if (!url) return true;
    let asked = this.#kept.get(url.origin);
    if (!asked) {
      asked = this.#ask(url.origin);
      this.#kept.set(url.origin, asked);
    }
    const rules = await Promise.race([asked, sleep(MAX_WAIT_MS, [], { ref: false })]);
    return isAllowedBy(rules, url.pathname + url.search);
  }

  async #ask(origin: string): Promise<ReturnType<typeof parseRobots>> {
    const headers = { 'user-agent': `${PRODUCT} (relay; ${NAME})` };
    try {
      const { status, body } = await this.#fetcher.fetch(`${origin}/robots.txt`, { ...LIMITS, headers });
      return status === 200 ? parseRobots(decodeText(body), NAME) : [];
    } catch {
      return [];
    }
  }
}
