import { LRUCache } from 'lru-cache';
import { type ByteText, bytesOf } from '../opml/byte-text.ts';
import { type Chunks, compileJson, compileXml, flattened, splice } from '../opml/compile.ts';
import type { CallerLinks } from './caller-links.ts';
import type { MenuAnswer } from './endpoint.ts';
import type { Render } from './reading.ts';

/** What a kept text costs beside its bytes: a string's head for each part of it. */
const BYTES_A_PART = 40;
const BYTES_AN_ENTRY = 500;

/**
 * Hot menus. Compiled ones are kept with holes where a caller's parameters go, and so hold nothing of any caller; for
 * applications whose callers all send the same parameters the finished bytes are kept as well. Both by size, the least
 * used going first, so that hosts and filters that somebody invents cost no more memory than others.
 */
export class MenuCache {
  readonly #compiled: LRUCache<string, Chunks> | undefined;
  readonly #finished: LRUCache<string, Buffer> | undefined;

  /** Zero bytes keep nothing. */
  constructor(mostBytes: number) {
    if (mostBytes <= 0) return;
    this.#compiled = new LRUCache({
      maxSize: mostBytes,
      sizeCalculation: ({ byteLength, parts }) => BYTES_AN_ENTRY + byteLength + parts.length * BYTES_A_PART,
    });
    this.#finished = new LRUCache({
      maxSize: Math.ceil(mostBytes / 2),
      sizeCalculation: ({ length }) => BYTES_AN_ENTRY + length,
    });
  }

  chunks(answer: MenuAnswer, render: Render, origin: string): Chunks {
    const key = `${render} ${origin} ${answer.menu}`;
    const kept = this.#compiled?.get(key);
    if (kept) return kept;
    const made = (render === 'xml' ? compileXml : compileJson)(answer.document(), origin);
    if (!this.#compiled) return made;
    const toKeep = flattened(made);
    this.#compiled.set(key, toKeep);
    return toKeep;
  }

  /** The menu with the caller's parameters in its links. */
  bytes(answer: MenuAnswer, render: Render, links: CallerLinks): Buffer | ByteText {
    const { origin, suffix, isPersonal } = links;
    if (isPersonal || !this.#finished) return splice(this.chunks(answer, render, origin), suffix);
    const key = `${render} ${origin} ${answer.menu} ${suffix}`;
    const kept = this.#finished.get(key);
    if (kept) return kept;
    const made = bytesOf(splice(this.chunks(answer, render, origin), suffix));
    this.#finished.set(key, made);
    return made;
  }
}
