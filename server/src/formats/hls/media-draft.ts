import { cleanText } from '../song-text.ts';
import { absolute } from './absolute.ts';
import { parseAttributes } from './attributes.ts';
import type { DateRange, MediaPlaylist, Segment } from './hls-playlist.ts';

export const MOST_SEGMENTS = 50;
const MOST_RANGES = 50;
const LONGEST_SEGMENT_SECONDS = 3600;
const DEFAULT_SECONDS = 10;

interface Written extends Omit<Segment, 'address'> {
  line: string;
}

/** The list of segments, line by line. Only the newest are kept, and only those become addresses. */
export class MediaDraft {
  readonly #base: string;
  #written: Written[] = [];
  #ranges: DateRange[] = [];
  #targetSeconds: number | undefined;
  #sequence = 0;
  #inf: { seconds: number; title: string } | undefined;
  #atMs: number | undefined;
  #map: string | undefined;
  #isEncrypted = false;
  #hasEnded = false;

  constructor(base: string) {
    this.#base = base;
  }

  readTag(name: string, value: string): void {
    if (name === '#EXTINF') this.#inf = parseInf(value);
    else if (name === '#EXT-X-TARGETDURATION') this.#targetSeconds = parseSeconds(value);
    else if (name === '#EXT-X-MEDIA-SEQUENCE') this.#sequence = Number(/^\d{1,15}$/.exec(value)?.[0] ?? 0);
    else if (name === '#EXT-X-PROGRAM-DATE-TIME') this.#atMs = parseTime(value);
    else if (name === '#EXT-X-DATERANGE') this.#addRange(parseAttributes(value));
    else if (name === '#EXT-X-MAP') this.#map = parseAttributes(value).get('URI');
    else if (name === '#EXT-X-KEY') this.#isEncrypted = parseAttributes(value).get('METHOD') !== 'NONE';
    else if (name === '#EXT-X-ENDLIST') this.#hasEnded = true;
  }

  readAddress(line: string): void {
    const { seconds = this.#targetSeconds ?? DEFAULT_SECONDS, title = '' } = this.#inf ?? {};
    this.#written.push({
      line,
      sequence: this.#sequence,
      seconds,
      ...(title === '' ? {} : { title }),
      ...(this.#atMs === undefined ? {} : { atMs: this.#atMs }),
    });
    if (this.#written.length >= 2 * MOST_SEGMENTS) this.#written = this.#written.slice(-MOST_SEGMENTS);
    this.#sequence += 1;
    this.#inf = undefined;
    if (this.#atMs !== undefined) this.#atMs += seconds * 1000;
  }

  finish(): MediaPlaylist | undefined {
    const segments = this.#written.slice(-MOST_SEGMENTS).flatMap(({ line, ...said }) => {
      const address = absolute(line, this.#base);
      return address === undefined ? [] : { address, ...said };
    });
    if (segments.length === 0) return undefined;
    const mapAddress = absolute(this.#map, this.#base);
    return {
      kind: 'media',
      targetSeconds: this.#targetSeconds ?? DEFAULT_SECONDS,
      segments,
      ranges: this.#ranges,
      ...(mapAddress === undefined ? {} : { mapAddress }),
      isEncrypted: this.#isEncrypted,
      hasEnded: this.#hasEnded,
    };
  }

  #addRange(attributes: ReadonlyMap<string, string>): void {
    const startMs = parseTime(attributes.get('START-DATE') ?? '');
    if (startMs === undefined) return;
    const seconds = parseSeconds(attributes.get('DURATION') ?? attributes.get('PLANNED-DURATION') ?? '');
    const id = cleanText(attributes.get('ID') ?? '');
    this.#ranges.push({ id, startMs, ...(seconds === undefined ? {} : { seconds }), attributes });
    if (this.#ranges.length >= 2 * MOST_RANGES) this.#ranges = this.#ranges.slice(-MOST_RANGES);
  }
}

function parseInf(value: string): { seconds: number; title: string } {
  const comma = value.indexOf(',');
  const seconds = parseSeconds(comma === -1 ? value : value.slice(0, comma));
  return {
    seconds: seconds ?? DEFAULT_SECONDS,
    title: comma === -1 ? '' : cleanText(value.slice(comma + 1)),
  };
}

function parseSeconds(text: string): number | undefined {
  const seconds = /^\s*\d{1,6}(?:\.\d{1,9})?\s*$/.test(text) ? Number(text) : Number.NaN;
  return seconds <= LONGEST_SEGMENT_SECONDS ? seconds : undefined;
}

function parseTime(text: string): number | undefined {
  const ms = text.length <= 40 ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
