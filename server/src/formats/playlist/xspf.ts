import { createXmlParser } from '../xml-parser.ts';

const MOST_TRACKS = 1000;
const LONGEST_ADDRESS = 4096;
const MAX_DEPTH = 64;

/** Ends the reading: what was found until then counts, as with any player. */
class Enough extends Error {}

/** The addresses of an XSPF, in order: every `location` of a track. */
export function parseXspf(text: string): string[] {
  const reading = new Reading();
  const parser = createXmlParser();
  parser.on('error', stop);
  parser.on('doctype', stop);
  parser.on('opentag', ({ name }) => reading.open(localName(name)));
  parser.on('closetag', () => reading.close());
  parser.on('text', (more) => reading.add(more));
  parser.on('cdata', (more) => reading.add(more));
  try {
    parser.write(text).close();
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return reading.found;
}

function stop(): never {
  throw new Enough();
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

class Reading {
  readonly found: string[] = [];
  readonly #open: string[] = [];
  #address: string | undefined;

  open(name: string): void {
    if (this.#open.length === MAX_DEPTH) stop();
    if (name === 'location' && this.#open.at(-1) === 'track') this.#address = '';
    this.#open.push(name);
  }

  add(more: string): void {
    if (this.#address !== undefined && this.#address.length < LONGEST_ADDRESS) this.#address += more;
  }

  close(): void {
    if (this.#open.pop() !== 'location' || this.#address === undefined) return;
    this.found.push(this.#address.trim());
    this.#address = undefined;
    if (this.found.length === MOST_TRACKS) stop();
  }
}
