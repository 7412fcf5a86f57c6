import { type Chunks, compileJson, compileXml } from '../opml/compile.ts';
import type { OpmlDocument } from '../opml/document.ts';

/** A document made ready for any caller of one origin; each notation is compiled when first asked for. */
export class Menu {
  readonly #document: OpmlDocument;
  readonly #origin: string;
  #xml: Chunks | undefined;
  #json: Chunks | undefined;

  constructor(document: OpmlDocument, origin: string) {
    this.#document = document;
    this.#origin = origin;
  }

  get xml(): Chunks {
    this.#xml ??= compileXml(this.#document, this.#origin);
    return this.#xml;
  }

  get json(): Chunks {
    this.#json ??= compileJson(this.#document, this.#origin);
    return this.#json;
  }
}
