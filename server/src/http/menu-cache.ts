import { LRUCache } from 'lru-cache';
import { type ByteText, bytesOf } from '../opml/byte-text.ts';
import { type BlankForm, blankForm, fillForm } from '../opml/blank-form.ts';
import { type Chunks, compileJson, compileXml, flattened, splice, suffixBytes } from '../opml/compile.ts';

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

  /** Zero bytes keep nothing. */
  constructor(mostBytes: number) {
    if (mostBytes <= 0) return;
    this.#compiled = new LRUCache({ maxSize: mostBytes, sizeCalculation: sizeOf });
    this.#finished = new LRUCache({
      maxSize: Math.ceil(mostBytes / 2),
      sizeCalculation: ({ length }, key) => BYTES_AN_ENTRY + key.length + length,
    });
  }

  chunks(answer: MenuAnswer, render: Render, origin: string): Chunks {
    return this.#menu(answer, render, origin).chunks;
  }

  /** The menu with the caller's parameters in its links. */
  bytes(answer: MenuAnswer, render: Render, links: CallerLinks): Buffer | ByteText {
    const { origin, suffix, isPersonal } = links;
    if (!this.#finished) return splice(this.chunks(answer, render, origin), suffix);
    if (isPersonal) return filledIn(this.#menu(answer, render, origin), suffix);
    const key = `${render} ${origin} ${answer.menu} ${suffix}`;
    const kept = this.#finished.get(key);
    if (kept) return kept;
    const made = bytesOf(splice(this.chunks(answer, render, origin), suffix));
    this.#finished.set(key, made);
    return made;
  }

  #menu(answer: MenuAnswer, render: Render, origin: string): KeptMenu {
    if (!this.#compiled) return newMenu(compile(answer, render, origin));
    const key = `${render} ${origin} ${answer.menu}`;
    const kept = this.#compiled.get(key);
    if (kept) return kept;
    const menu = newMenu(flattened(compile(answer, render, origin)));
    this.#compiled.set(key, menu);
    return menu;
  }
}

const compile = ({ document }: MenuAnswer, render: Render, origin: string): Chunks =>
  (render === 'xml' ? compileXml : compileJson)(document(), origin);

const newMenu = (chunks: Chunks): KeptMenu => ({ chunks, form: undefined, lastLength: undefined });

/**
 * A length of suffix that comes twice in a row takes the form's place: there is one for each menu, and its size has an
 * end. Where radios of many kinds take turns, the parts are put together, which costs less than laying out a form.
 */
function filledIn(menu: KeptMenu, suffix: string): Buffer | ByteText {
  const { chunks } = menu;
  const inserted = suffixBytes(chunks.notation, suffix);
  const isAgain = menu.lastLength === inserted.length;
  menu.lastLength = inserted.length;
  if (menu.form?.suffixLength !== inserted.length) {
    if (!isAgain || inserted.length > LONGEST_SUFFIX_BYTES) return splice(chunks, suffix);
    menu.form = blankForm(chunks, inserted.length);
  }
  const room = takeScratch(menu.form.bytes.length);
  fillForm(menu.form, inserted, room);
  return room;
}

const sizeOf = ({ chunks: { byteLength, parts } }: KeptMenu): number =>
  BYTES_AN_ENTRY + 2 * byteLength + parts.length * (BYTES_A_PART + LONGEST_SUFFIX_BYTES);
