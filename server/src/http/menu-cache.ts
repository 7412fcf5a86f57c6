import { LRUCache } from 'lru-cache';
import { type BlankForm, blankForm, fillForm } from '../opml/blank-form.ts';
import { type Chunks, chunksOf, compose, fillIn, suffixBytes } from '../opml/compile.ts';
import { ownRoom } from '../opml/lay-out.ts';
import type { CallerLinks } from './caller-links.ts';
import type { MenuAnswer } from './endpoint.ts';
import type { Render } from './reading.ts';
import { takeScratch } from './scratch.ts';

/** A compiled menu, and its layout for the length of suffix that was asked for last. */
interface KeptMenu {
  readonly chunks: Chunks;
  form: BlankForm | undefined;
  /** Of the suffix before. */
  lastLength: number | undefined;
}

/** What a kept text costs beside its bytes: a string's head for each part of it. */
const BYTES_A_PART = 40;
const BYTES_AN_ENTRY = 500;
/** Menus of which it is known that they were asked for; beyond that it begins anew. */
const MOST_ASKED = 5000;
/** A longer suffix gets no form of its own, or a caller could make each menu many times as large as it counts. */
const LONGEST_SUFFIX_BYTES = 200;

/**
 * Hot menus. Compiled ones are kept with holes where a caller's parameters go, and so hold nothing of any caller; for
 * applications whose callers all send the same parameters the finished bytes are kept as well. Both by size, the least
 * used going first, so that hosts and filters that somebody invents cost no more memory than others.
 */
export class MenuCache {
  readonly #compiled: LRUCache<string, KeptMenu> | undefined;
  readonly #finished: LRUCache<string, Buffer> | undefined;
  readonly #asked = new Set<string>();

  /** Zero bytes keep nothing. */
  constructor(mostBytes: number) {
    if (mostBytes <= 0) return;
    this.#compiled = new LRUCache({ maxSize: mostBytes, sizeCalculation: sizeOf });
    this.#finished = new LRUCache({
      maxSize: Math.ceil(mostBytes / 2),
      sizeCalculation: ({ length }, key) => BYTES_AN_ENTRY + key.length + length,
    });
  }

  /** The menu with the caller's parameters in its links; sent before anything else is done. */
  bytes(answer: MenuAnswer, render: Render, links: CallerLinks): Buffer {
    const { origin, suffix, isPersonal } = links;
    if (!this.#compiled || !this.#finished) return composed(answer, render, links);
    const key = `${render} ${origin} ${answer.menu}`;
    if (isPersonal) {
      const menu = this.#compiled.get(key) ?? this.#keep(key, answer, render, origin);
      return menu ? filledIn(menu, suffix) : composed(answer, render, links);
    }
    const finishedKey = `${key} ${suffix}`;
    return this.#finished.get(finishedKey) ?? this.#finish(finishedKey, answer, render, links);
  }

  /** A menu that is asked for once in a while is not worth keeping: that costs more than making it. */
  #isAskedAgain(key: string): boolean {
    if (this.#asked.has(key)) return true;
    if (this.#asked.size >= MOST_ASKED) this.#asked.clear();
    this.#asked.add(key);
    return false;
  }

  #keep(key: string, answer: MenuAnswer, render: Render, origin: string): KeptMenu | undefined {
    if (!this.#isAskedAgain(key)) return undefined;
    const menu = newMenu(chunksOf(compose(render, answer.document(), origin)));
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

const composed = (answer: MenuAnswer, render: Render, { origin, suffix }: CallerLinks): Buffer =>
  fillIn(compose(render, answer.document(), origin), suffix, takeScratch);

const newMenu = (chunks: Chunks): KeptMenu => ({ chunks, form: undefined, lastLength: undefined });

/**
 * A length of suffix that comes twice in a row takes the form's place: there is one for each menu, and its size has an
 * end. Where radios of many kinds take turns, the parts are put together, which costs less than laying out a form.
 */
function filledIn(menu: KeptMenu, suffix: string): Buffer {
  const { chunks } = menu;
  const inserted = suffixBytes(chunks.notation, suffix);
  const isAgain = menu.lastLength === inserted.length;
  menu.lastLength = inserted.length;
  if (menu.form?.suffixLength !== inserted.length) {
    if (!isAgain || inserted.length > LONGEST_SUFFIX_BYTES) return fillIn(chunks, suffix, takeScratch);
    menu.form = blankForm(chunks, inserted.length);
  }
  const room = takeScratch(menu.form.bytes.length);
  fillForm(menu.form, inserted, room);
  return room;
}

const sizeOf = ({ chunks: { byteLength, parts } }: KeptMenu): number =>
  BYTES_AN_ENTRY + 2 * byteLength + parts.length * (BYTES_A_PART + LONGEST_SUFFIX_BYTES);
