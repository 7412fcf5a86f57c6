import { absolute } from './absolute.ts';
import { parseAttributes } from './attributes.ts';
import type { MasterPlaylist, Rendition, Variant } from './hls-playlist.ts';

const MOST = 100;
const PICTURE = /^(?:avc|hvc|hev|dvh|vp0|vp8|vp9|av01|mp4v)/i;

/** The list of qualities, line by line. */
export class MasterDraft {
  readonly #base: string;
  readonly #variants: Variant[] = [];
  readonly #renditions: Rendition[] = [];
  #said: ReadonlyMap<string, string> | undefined;

  constructor(base: string) {
    this.#base = base;
  }

  readTag(name: string, value: string): void {
    if (name === '#EXT-X-STREAM-INF') this.#said = parseAttributes(value);
    else if (name === '#EXT-X-MEDIA') this.#addRendition(parseAttributes(value));
  }

  readAddress(line: string): void {
    const address = absolute(line, this.#base);
    if (this.#said && address !== undefined && this.#variants.length < MOST)
      this.#variants.push(variantOf(address, this.#said));
    this.#said = undefined;
  }

  finish(): MasterPlaylist | undefined {
    if (this.#variants.length === 0) return undefined;
    return { kind: 'master', variants: this.#variants, renditions: this.#renditions };
  }

  #addRendition(said: ReadonlyMap<string, string>): void {
    const address = absolute(said.get('URI'), this.#base);
    if (said.get('TYPE') === 'AUDIO' && address !== undefined && this.#renditions.length < MOST)
      this.#renditions.push({ address, group: said.get('GROUP-ID') ?? '' });
  }
}

function variantOf(address: string, said: ReadonlyMap<string, string>): Variant {
  const codecs = (said.get('CODECS') ?? '').split(',').flatMap((codec) => codec.trim() || []);
  const audioGroup = said.get('AUDIO');
  return {
    address,
    bandwidth: Number(/^\d{1,10}$/.exec(said.get('BANDWIDTH') ?? '')?.[0] ?? 0),
    codecs,
    hasPicture: said.has('RESOLUTION') || codecs.some((codec) => PICTURE.test(codec)),
    ...(audioGroup === undefined ? {} : { audioGroup }),
  };
}
