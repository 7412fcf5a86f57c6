import type { Outline, Place } from './document.ts';
import { afterSuffix, beforeSuffix } from './links.ts';

/** What differs between XML and JSON where text is put into quotation marks. */
export interface Notation {
  escape: (text: string) => string;
  /** What stands before an attribute's value, the opening quotation mark included. */
  attributeStart: (name: string) => string;
  /** What shared outlines were last written as; it goes when they go, with the snapshot they are of. */
  kept: WeakMap<Outline, KeptTexts>;
}

export interface KeptTexts {
  origin: string;
  texts: readonly string[];
}

/** A document's text with holes: one wherever a caller's parameters go into a link. */
export class Parts {
  readonly #origin: string;
  readonly #notation: Notation;
  readonly #closed: string[] = [];
  #open = '';

  constructor(origin: string, notation: Notation) {
    this.#origin = origin;
    this.#notation = notation;
  }

  markup(text: string): void {
    this.#open += text;
  }

  attribute(name: string, value: string | Place): void {
    const start = this.#notation.attributeStart(name);
    if (typeof value === 'string') {
      this.#open += start + this.#notation.escape(value) + '"';
      return;
    }
    this.#open += start;
    this.value(value);
    this.#open += '"';
  }

  value(value: string | Place): void {
    const { escape } = this.#notation;
    if (typeof value === 'string') this.#open += escape(value);
    else if ('address' in value) this.#open += escape(value.address);
    else if (!('params' in value)) this.#open += escape(this.#origin + value.path);
    else {
      this.#closed.push(this.#open + escape(beforeSuffix(value, this.#origin)));
      this.#open = escape(afterSuffix(value));
    }
  }

  /** An outline that stands in many menus: written once for an origin, copied from then on. */
  shared(outline: Outline, write: (parts: Parts, outline: Outline) => void): void {
    let made = this.#notation.kept.get(outline);
    if (made?.origin !== this.#origin) {
      const own = new Parts(this.#origin, this.#notation);
      write(own, outline);
      made = { origin: this.#origin, texts: own.finish().map(flat) };
      this.#notation.kept.set(outline, made);
    }
    for (const [index, text] of made.texts.entries()) {
      if (index > 0) {
        this.#closed.push(this.#open);
        this.#open = '';
      }
      this.#open += text;
    }
  }

  /** One text more than there are holes. */
  finish(): string[] {
    return [...this.#closed, this.#open];
  }
}

/** A text put together from pieces is kept as those pieces, at twice the cost of copying it, until it is made anew. */
const flat = (text: string): string => Buffer.from(text).toString();
