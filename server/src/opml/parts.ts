import type { Place } from './document.ts';
import { afterSuffix, beforeSuffix } from './links.ts';

/** What differs between XML and JSON where text is put into quotation marks. */
export interface Notation {
  escape: (text: string) => string;
  /** What stands before an attribute's value, the opening quotation mark included. */
  attributeStart: (name: string) => string;
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

  /** One text more than there are holes. */
  finish(): string[] {
    return [...this.#closed, this.#open];
  }
}
