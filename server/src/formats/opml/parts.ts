import { type ByteText, flat } from './byte-text.ts';
import type { KeptLine, LineRun, LineSource, Outline, LinkPlace } from './document.ts';
import { Layout } from './layout.ts';
import { type LineSlab, shelfOf } from './line-slab.ts';
import { afterSuffix, beforeSuffix, filterParameter } from './links.ts';

/** What differs between XML and JSON around quoted text. */
export interface Notation {
  escape: (text: string) => ByteText;
  /** What precedes an attribute's value, including the opening quotation mark. */
  attributeStart: (name: string) => string;
  name: keyof KeptLine['written'];
  /** Between two outlines. */
  separator: '' | ',';
}

/** Lines of a slab at their position in a document. */
export interface PlacedLines {
  readonly slab: LineSlab;
  readonly lines: readonly number[];
  readonly separator: '' | ',';
  /** What follows the caller's parameters in each. */
  readonly behindHole: ByteText;
}

/** A text, or what has holes of its own; between two texts there is a hole for the caller's parameters, around others none. */
export type Part = ByteText | PlacedLines | Layout;

/** Fewer texts are joined with what is around them. */
const WORTH_A_LAYOUT = 4;

type WriteOutline = (parts: Parts, outline: Outline) => void;

/** A document's bytes with holes: one wherever a caller's parameters go into a link. */
export class Parts {
  readonly #origin: string;
  readonly #notation: Notation;
  readonly #closed: Part[] = [];
  readonly #slabs = new Map<LineSource, LineSlab>();
  #open = '';

  constructor(origin: string, notation: Notation) {
    this.#origin = origin;
    this.#notation = notation;
  }

  /** For ASCII that needs no escaping. */
  markup(text: string): void {
    this.#open += text;
  }

  attribute(name: string, value: string | LinkPlace): void {
    const start = this.#notation.attributeStart(name);
    if (typeof value === 'string') {
      this.#open += start + this.#notation.escape(value) + '"';
      return;
    }
    this.#open += start;
    this.value(value);
    this.#open += '"';
  }

  value(value: string | LinkPlace): void {
    const { escape } = this.#notation;
    if (typeof value === 'string') this.#open += escape(value);
    else if ('address' in value) this.#open += escape(value.address);
    else if (!('params' in value)) this.#open += escape(this.#origin + value.path);
    else {
      this.#closed.push(this.#open + escape(beforeSuffix(value, this.#origin)));
      this.#open = escape(afterSuffix(value));
    }
  }

  /** For an outline in many menus: written once per origin, then copied. False for any other. */
  shared(outline: Outline, write: WriteOutline): boolean {
    const { kept } = outline;
    if (kept?.of !== outline) return false;
    const { name } = this.#notation;
    let made = kept.written[name];
    if (made?.origin !== this.#origin) {
      const layout = new Layout(this.#writtenApart(outline, write).map(flat));
      kept.written[name] = made = { origin: this.#origin, layout };
    }
    const { texts } = made.layout;
    if (texts.length > WORTH_A_LAYOUT) {
      this.#closed.push(this.#open, made.layout);
      this.#open = '';
      return true;
    }
    this.#open += texts[0]!;
    for (let hole = 1; hole < texts.length; hole += 1) {
      this.#closed.push(this.#open);
      this.#open = texts[hole]!;
    }
    return true;
  }

  /** Many lines; missing ones are written to the cache first, and the document only refers to them. */
  run({ source, lines, filter }: LineRun, write: WriteOutline): void {
    const { separator, escape } = this.#notation;
    const { kind, outlineOf } = source;
    const slab = this.#slabOf(source);
    for (const line of lines) {
      if (slab.has(line)) continue;
      const [before, behind, ...others] = this.#writtenApart(outlineOf(line), write);
      if (!before || !behind || others.length > 0)
        throw new TypeError(`a ${kind} line must have exactly one link of ours`);
      slab.add(line, before, behind);
    }
    const behindHole = filter === undefined ? '' : escape(filterParameter(filter));
    this.#closed.push(this.#open, { slab, lines, separator, behindHole });
    this.#open = '';
  }

  /** When playable and unplayable stations alternate, a page has as many runs as lines, but few sources. */
  #slabOf(source: LineSource): LineSlab {
    let slab = this.#slabs.get(source);
    if (!slab) {
      const { owner, kind, count } = source;
      slab = shelfOf(owner).slab(`${this.#notation.name} ${kind} ${this.#origin}`, count);
      this.#slabs.set(source, slab);
    }
    return slab;
  }

  #writtenApart(outline: Outline, write: WriteOutline): ByteText[] {
    const own = new Parts(this.#origin, this.#notation);
    write(own, outline);
    return textsOf(own.finish());
  }

  /** Begins and ends with a text. */
  finish(): Part[] {
    this.#closed.push(this.#open);
    return this.#closed;
  }
}

/** The parts as texts only, with a hole between each two. */
export function textsOf(parts: readonly Part[]): ByteText[] {
  const texts: ByteText[] = [];
  let isBehindOthers = false;
  for (const part of parts) {
    if (part instanceof Layout) addTexts(texts, part.texts);
    else if (typeof part !== 'string') addLines(texts, part);
    else if (isBehindOthers) texts.push((texts.pop() ?? '') + part);
    else texts.push(part);
    isBehindOthers = typeof part !== 'string';
  }
  return texts;
}

function addTexts(texts: ByteText[], [first = '', ...others]: readonly ByteText[]): void {
  texts.push((texts.pop() ?? '') + first, ...others);
}

function addLines(texts: ByteText[], { slab, lines, separator, behindHole }: PlacedLines): void {
  let open = texts.pop() ?? '';
  for (const [place, line] of lines.entries()) {
    texts.push(open + (place > 0 ? separator : '') + slab.before(line));
    open = behindHole + slab.behind(line);
  }
  texts.push(open);
}
