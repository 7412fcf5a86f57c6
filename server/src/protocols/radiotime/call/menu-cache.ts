import { LRUCache } from 'lru-cache';
import { type ByteText, viewOf } from '../../../formats/opml/byte-text.ts';
import { chunksOf, compose, fillIn, ownRoom, suffixBytes } from '../../../formats/opml/compile.ts';
import { Layout, MAX_BLANK_BYTES } from '../../../formats/opml/layout.ts';
import { takeScratch } from '../../../net/http/respond.ts';
import type { CallerLinks } from './caller.ts';
import type { MenuAnswer } from './endpoint.ts';
import type { Render } from './parse-query.ts';

/** A compiled menu. */
export interface KeptMenu {
  readonly notation: Render;
  readonly layout: Layout;
}

/** Overhead of a cached text: a string header for each part. */
const BYTES_A_PART = 40;
const BYTES_AN_ENTRY = 500;
/** Keys remembered as requested once; cleared beyond that. */
const MAX_ASKED = 5000;

/**
 * Cache of hot menus. Compiled menus have placeholders for the caller's parameters, so they contain nothing personal;
 * for applications whose callers all send the same parameters the finished bytes are cached too. Both are limited by
 * size with LRU eviction, so invented hosts and filters cannot exhaust memory.
 */
export class MenuCache {
  readonly #compiled: LRUCache<string, KeptMenu> | undefined;
  readonly #finished: LRUCache<string, Buffer> | undefined;
  readonly #asked = new Set<string>();
  #hits = 0;
  #misses = 0;

  /** Zero bytes disable the cache. */
  constructor(mostBytes: number) {
    if (mostBytes <= 0) return;
    this.#compiled = new LRUCache({ maxSize: mostBytes, sizeCalculation: sizeOf });
    this.#finished = new LRUCache({
      maxSize: Math.ceil(mostBytes / 2),
      sizeCalculation: ({ length }, key) => BYTES_AN_ENTRY + key.length + length,
    });
  }

  /** The menu with the caller's parameters in its links; must be sent synchronously. */
  bytes(answer: MenuAnswer, render: Render, links: CallerLinks): Buffer {
    const { origin, suffix, isPersonal } = links;
    if (!this.#compiled || !this.#finished) return composed(answer, render, links);
    const key = `${render} ${origin} ${answer.menu}`;
    if (isPersonal) {
      const kept = this.#compiled.get(key);
      this.#count(kept);
      const menu = kept ?? this.#keep(key, answer, render, origin);
      return menu ? filledIn(menu, suffixBytes(render, suffix)) : composed(answer, render, links);
    }
    const finishedKey = `${key} ${suffix}`;
    const finished = this.#finished.get(finishedKey);
    this.#count(finished);
    return finished ?? this.#finish(finishedKey, answer, render, links);
  }

  /** The finished bytes, if they are kept: whoever gets them may keep them too. */
  finished(
    { menu }: MenuAnswer,
    render: Render,
    { origin, suffix, isPersonal }: CallerLinks,
  ): Buffer | undefined {
    return isPersonal ? undefined : this.#finished?.peek(`${render} ${origin} ${menu} ${suffix}`);
  }

  /** The compiled menu, if it is kept; the same. */
  compiled({ menu }: MenuAnswer, render: Render, { origin }: CallerLinks): KeptMenu | undefined {
    return this.#compiled?.peek(`${render} ${origin} ${menu}`);
  }

  /** For the metrics. */
  use(): { hits: number; misses: number; entries: number; bytes: number; maxBytes: number } {
    const caches = [this.#compiled, this.#finished].filter((cache) => cache !== undefined);
    return {
      hits: this.#hits,
      misses: this.#misses,
      entries: sum(caches.map(({ size }) => size)),
      bytes: sum(caches.map(({ calculatedSize }) => calculatedSize)),
      maxBytes: sum(caches.map(({ maxSize }) => maxSize)),
    };
  }

  #count(found: object | undefined): void {
    if (found) this.#hits += 1;
    else this.#misses += 1;
  }

  /** Menus requested only occasionally are not cached: that costs more than building them. */
  #isAskedAgain(key: string): boolean {
    if (this.#asked.has(key)) return true;
    if (this.#asked.size >= MAX_ASKED) this.#asked.clear();
    this.#asked.add(key);
    return false;
  }

  #keep(key: string, answer: MenuAnswer, render: Render, origin: string): KeptMenu | undefined {
    if (!this.#isAskedAgain(key)) return undefined;
    const { parts } = chunksOf(compose(render, answer.document(), origin));
    const menu = { notation: render, layout: new Layout(parts) };
    this.#compiled?.set(key, menu);
    return menu;
  }

  #finish(key: string, answer: MenuAnswer, render: Render, links: CallerLinks): Buffer {
    if (!this.#isAskedAgain(key)) return composed(answer, render, links);
    const made = fillIn(compose(render, answer.document(), links.origin), links.suffix, ownRoom);
    this.#finished?.set(key, made);
    return made;
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

const composed = (answer: MenuAnswer, render: Render, { origin, suffix }: CallerLinks): Buffer =>
  fillIn(compose(render, answer.document(), origin), suffix, takeScratch);

/** The menu with a suffix as `suffixBytes` writes it; must be sent synchronously. */
export function filledIn({ layout }: KeptMenu, suffix: ByteText): Buffer {
  const bytes = takeScratch(layout.lengthWith(suffix));
  layout.copyTo(suffix, { bytes, view: viewOf(bytes), start: bytes.byteOffset }, 0);
  return bytes;
}

const sizeOf = ({ layout: { byteLength, texts } }: KeptMenu): number =>
  BYTES_AN_ENTRY + 2 * byteLength + texts.length * (BYTES_A_PART + MAX_BLANK_BYTES);
