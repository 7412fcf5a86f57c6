import { type ByteText, flat } from './byte-text.ts';
import type { KeptLine, Outline, Place } from './document.ts';
import { afterSuffix, beforeSuffix } from './links.ts';

/** What differs between XML and JSON where text is put into quotation marks. */
export interface Notation {
  escape: (text: string) => ByteText;
  /** What stands before an attribute's value, the opening quotation mark included. */
  attributeStart: (name: string) => string;
  name: keyof KeptLine['written'];
}

/** A document's bytes with holes: one wherever a caller's parameters go into a link. */
export class Parts {
  readonly #origin: string;
  readonly #notation: Notation;
  readonly #closed: ByteText[] = [];
  #open = '';
  #filter = '';
  #escapedFilter = '';

  constructor(origin: string, notation: Notation) {
    this.#origin = origin;
    this.#notation = notation;
  }

  /** What needs no escaping, which is ASCII. */
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

  /** An outline that stands in many menus: written once for an origin, copied from then on. False for any other. */
  shared(outline: Outline, write: (parts: Parts, outline: Outline) => void): boolean {
    const { kept } = outline;
    if (kept?.of !== outline) return false;
    const { line, written } = kept;
    const { name } = this.#notation;
    let made = written[name];
    if (made?.origin !== this.#origin) {
      const own = new Parts(this.#origin, this.#notation);
      write(own, line);
      written[name] = made = { origin: this.#origin, texts: own.finish().map(flat) };
    }
    const { texts } = made;
    this.#open += texts[0]!;
    if (texts.length === 1) return true;
    // The filter stands behind the first hole, where the kept line has none.
    const filter = line === outline ? '' : this.#filterBytes(filterOf(outline));
    this.#closed.push(this.#open);
    this.#open = filter + texts[1]!;
    for (let hole = 2; hole < texts.length; hole += 1) {
      this.#closed.push(this.#open);
      this.#open = texts[hole]!;
    }
    return true;
  }

  /** The lines of a list have one filter, one after the other. */
  #filterBytes(filter: string): ByteText {
    if (filter !== this.#filter) {
      this.#filter = filter;
      this.#escapedFilter = this.#notation.escape(filter);
    }
    return this.#escapedFilter;
  }

  /** One text more than there are holes. */
  finish(): ByteText[] {
    this.#closed.push(this.#open);
    return this.#closed;
  }
}

const filterOf = ({ target }: Outline): string => (target && 'params' in target ? afterSuffix(target) : '');
