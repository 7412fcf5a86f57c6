import { type FeedItem, LIMITS } from './feed.ts';

/** The newest items of however many, in the order of the feed. An undated one counts as old as the one before it. */
export class NewestItems {
  #kept: { item: FeedItem; order: number; when: number }[] = [];
  #count = 0;
  #lastWhen = Number.MAX_SAFE_INTEGER;

  add(item: FeedItem): void {
    this.#lastWhen = item.published?.epochMilliseconds ?? this.#lastWhen;
    this.#kept.push({ item, order: this.#count++, when: this.#lastWhen });
    // Only every so often, so that a feed of any length is sorted in little more than one pass.
    if (this.#kept.length >= 2 * LIMITS.items) this.#cut();
  }

  list(): FeedItem[] {
    this.#cut();
    return this.#kept.toSorted((a, b) => a.order - b.order).map(({ item }) => item);
  }

  #cut(): void {
    if (this.#kept.length <= LIMITS.items) return;
    this.#kept = this.#kept.toSorted((a, b) => b.when - a.when || a.order - b.order).slice(0, LIMITS.items);
  }
}
