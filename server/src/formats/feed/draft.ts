import { LIMITS } from './feed.ts';

/** One place where a sound may be: an enclosure, a link of that kind, or a media element. */
export interface Enclosure {
  address: string;
  type: string | undefined;
  duration: string | undefined;
}

export interface Link {
  rel: string;
  address: string;
  type: string | undefined;
}

/** A feed or an item while it is read: what was said under which name, not yet weighed against each other. */
export class Draft {
  readonly links: Link[] = [];
  readonly enclosures: Enclosure[] = [];
  readonly categories: string[] = [];
  readonly hosts: string[] = [];
  readonly #texts = new Map<string, string>();

  /** The first that says something is kept. */
  tell(name: string, text: string): void {
    if (!this.#texts.has(name) && text.trim() !== '') this.#texts.set(name, text);
  }

  /** The text of the first of these elements that has one. */
  text(...names: string[]): string | undefined {
    for (const name of names) {
      const text = this.#texts.get(name);
      if (text !== undefined) return text;
    }
    return undefined;
  }
}

/** Adds to a list that nobody lets grow without end. */
export function addTo<T>(list: T[], item: T): void {
  if (list.length < LIMITS.list) list.push(item);
}
