import { cleanSongText } from '../song-text.ts';

const MAX_PLAYLIST_LENGTH = 2 ** 20;
const MAX_LINE_LENGTH = 16_384;

/** An HLS playlist of either kind; undefined if it leads nowhere. */
export function parseHls(text: string, baseAddress: string): HlsPlaylist | undefined {
  const whole = text.slice(0, MAX_PLAYLIST_LENGTH).replace(/^\ufeff/, '');
  if (!whole.startsWith('#EXTM3U')) return undefined;
  const isMaster = whole.includes('\n#EXT-X-STREAM-INF');
  const draft = isMaster ? new MasterDraft(baseAddress) : new MediaDraft(baseAddress);
  for (const line of linesOf(whole)) {
    if (line.startsWith('#EXT')) draft.readTag(...tagOf(line));
    else if (line !== '' && !line.startsWith('#')) draft.readAddress(line);
  }
  return draft.finish();
}

/** Line by line: splitting a playlist of 1 MiB took 37 MiB, this takes 11. */
function* linesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const feed = text.indexOf('\n', at);
    const end = feed === -1 ? text.length : feed;
    if (end - at <= MAX_LINE_LENGTH) yield text.slice(at, end).trim();
    at = end + 1;
  }
}

function tagOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  return colon === -1 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1)];
}

/** One quality of a stream. */
export interface Variant {
  address: string;
  /** Peak bits per second, including video; 0 if unknown. */
  bandwidth: number;
  codecs: readonly string[];
  hasPicture: boolean;
  /** The group of renditions with the audio, where it is separate. */
  audioGroup?: string;
}

/** Audio that is separate from the video. */
export interface Rendition {
  address: string;
  group: string;
}

export interface MasterPlaylist {
  kind: 'master';
  variants: readonly Variant[];
  renditions: readonly Rendition[];
}

/** A part of a file. */
export interface ByteRange {
  start: number;
  length: number;
}

/** What a segment is encrypted with: AES-128, the key at an address. */
export interface SegmentKey {
  address: string;
  /** 16 bytes; without them it is the sequence number. */
  iv?: Buffer;
}

export interface Segment {
  address: string;
  sequence: number;
  seconds: number;
  range?: ByteRange;
  /** The initialisation section that players put before it; it may be encrypted too. */
  map?: { address: string; range?: ByteRange; key?: SegmentKey };
  /** `unknown` for a way of encryption that nobody here understands. */
  key?: SegmentKey | 'unknown';
  /** The station has nothing there. */
  isGap?: true;
  title?: string;
  /** The wall-clock time at its beginning, in epoch milliseconds. */
  atMs?: number;
}

export interface MediaPlaylist {
  kind: 'media';
  targetSeconds: number;
  /** The newest ones; a recording of a day has thousands. */
  segments: readonly Segment[];
  /** The initialisation section that fMP4 needs before the first segment. */
  mapAddress?: string;
  isEncrypted: boolean;
  /** It counts no segments, or not so that it can be read, and its window moves all the same: only their addresses tell which are new. */
  isUnnumbered?: true;
  /** Nothing more will come: it is not live, or it has ended. */
  hasEnded: boolean;
}

type HlsPlaylist = MasterPlaylist | MediaPlaylist;

const MAX_VARIANTS = 100;
const PICTURE = /^(?:avc|hvc|hev|dvh|vp0|vp8|vp9|av01|mp4v)/i;

/** The list of qualities, line by line. */
class MasterDraft {
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
    if (this.#said && address !== undefined && this.#variants.length < MAX_VARIANTS)
      this.#variants.push(variantOf(address, this.#said));
    this.#said = undefined;
  }

  finish(): MasterPlaylist | undefined {
    if (this.#variants.length === 0) return undefined;
    return { kind: 'master', variants: this.#variants, renditions: this.#renditions };
  }

  #addRendition(said: ReadonlyMap<string, string>): void {
    const address = absolute(said.get('URI'), this.#base);
    if (said.get('TYPE') === 'AUDIO' && address !== undefined && this.#renditions.length < MAX_VARIANTS)
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

export const MAX_SEGMENTS = 50;
const MAX_SEGMENT_SECONDS = 3600;
const DEFAULT_SECONDS = 10;

/** As its lines say it: most of a long playlist is never looked at again. */
interface Written {
  line: string;
  sequence: number;
  seconds: number;
  title: string;
  atMs: number | undefined;
  range: ByteRange | undefined;
  isGap: boolean;
  map: WrittenMap | undefined;
  key: ReadonlyMap<string, string> | undefined;
}

interface WrittenMap {
  said: ReadonlyMap<string, string>;
  /** Of the tag before it: a later one is that of segments alone. */
  key: ReadonlyMap<string, string> | undefined;
}

/** The list of segments, line by line. Only the newest are stored, and only their addresses are resolved. */
class MediaDraft {
  readonly #base: string;
  #written: Written[] = [];
  #targetSeconds: number | undefined;
  #sequence = 0;
  #isNumbered = false;
  #inf: { seconds: number; title: string } | undefined;
  #atMs: number | undefined;
  #map: WrittenMap | undefined;
  #key: ReadonlyMap<string, string> | undefined;
  #range: ByteRange | undefined;
  /** Where the next part of a file begins that says no start. */
  #rangeEnd = 0;
  #isGap = false;
  #hasEnded = false;

  constructor(base: string) {
    this.#base = base;
  }

  readTag(name: string, value: string): void {
    if (name === '#EXTINF') this.#inf = parseInf(value);
    else if (name === '#EXT-X-TARGETDURATION') this.#targetSeconds = parseSeconds(value);
    else if (name === '#EXT-X-MEDIA-SEQUENCE') this.#number(value);
    else if (name === '#EXT-X-PROGRAM-DATE-TIME') this.#atMs = parseTime(value);
    else if (name === '#EXT-X-MAP') this.#map = { said: parseAttributes(value), key: this.#key };
    else if (name === '#EXT-X-KEY') this.#key = encryption(parseAttributes(value));
    else if (name === '#EXT-X-BYTERANGE') this.#range = parseRange(value, this.#rangeEnd);
    else if (name === '#EXT-X-GAP') this.#isGap = true;
    else if (name === '#EXT-X-ENDLIST') this.#hasEnded = true;
  }

  #number(value: string): void {
    const digits = /^\s*(\d{1,15})\s*$/.exec(value)?.[1];
    // One that is too large for a number counts as none: the addresses tell which segments are new.
    if (digits === undefined) return;
    this.#sequence = Number(digits);
    this.#isNumbered = true;
  }

  readAddress(line: string): void {
    const { seconds = this.#targetSeconds ?? DEFAULT_SECONDS, title = '' } = this.#inf ?? {};
    this.#written.push({
      line,
      sequence: this.#sequence,
      seconds,
      title,
      atMs: this.#atMs,
      range: this.#range,
      isGap: this.#isGap,
      map: this.#map,
      key: this.#key,
    });
    this.#rangeEnd = this.#range === undefined ? 0 : this.#range.start + this.#range.length;
    this.#range = undefined;
    this.#isGap = false;
    if (this.#written.length >= 2 * MAX_SEGMENTS) this.#written = this.#written.slice(-MAX_SEGMENTS);
    this.#sequence += 1;
    this.#inf = undefined;
    if (this.#atMs !== undefined) this.#atMs += seconds * 1000;
  }

  finish(): MediaPlaylist | undefined {
    const segments = this.#written.slice(-MAX_SEGMENTS).flatMap((written) => this.#segmentOf(written) ?? []);
    if (segments.length === 0) return undefined;
    const mapAddress = absolute(this.#map?.said.get('URI'), this.#base);
    return {
      kind: 'media',
      targetSeconds: this.#targetSeconds ?? DEFAULT_SECONDS,
      segments,
      ...(mapAddress === undefined ? {} : { mapAddress }),
      isEncrypted: this.#key !== undefined,
      ...(this.#isNumbered ? {} : { isUnnumbered: true }),
      hasEnded: this.#hasEnded,
    };
  }

  #segmentOf({ line, map, key, ...said }: Written): Segment | undefined {
    const address = absolute(line, this.#base);
    if (address === undefined) return undefined;
    const { sequence, seconds, title, atMs, range, isGap } = said;
    return {
      address,
      sequence,
      seconds,
      ...(title === '' ? {} : { title }),
      ...(atMs === undefined ? {} : { atMs }),
      ...(range && { range }),
      ...(isGap ? { isGap } : {}),
      ...(map && mapOf(map, this.#base)),
      ...(key === undefined ? {} : { key: keyOf(key, this.#base) }),
    };
  }
}

/** Undefined where nothing is encrypted. */
const encryption = (said: ReadonlyMap<string, string>): ReadonlyMap<string, string> | undefined =>
  said.get('METHOD') === 'NONE' ? undefined : said;

const IV_DIGITS = 32;

function keyOf(said: ReadonlyMap<string, string>, base: string): SegmentKey | 'unknown' {
  const address = absolute(said.get('URI'), base);
  const format = said.get('KEYFORMAT') ?? 'identity';
  if (said.get('METHOD') !== 'AES-128' || format !== 'identity' || address === undefined) return 'unknown';
  const [, digits] = /^0x([\da-f]{1,32})$/i.exec(said.get('IV') ?? '') ?? [];
  return digits === undefined
    ? { address }
    : { address, iv: Buffer.from(digits.padStart(IV_DIGITS, '0'), 'hex') };
}

function mapOf({ said, key: itsKey }: WrittenMap, base: string): Pick<Segment, 'map'> {
  const address = absolute(said.get('URI'), base);
  if (address === undefined) return {};
  const range = parseRange(said.get('BYTERANGE') ?? '', 0);
  const key = itsKey && keyOf(itsKey, base);
  return { map: { address, ...(range && { range }), ...(key && key !== 'unknown' && { key }) } };
}

/** `1000@500`, or `1000` after what came before. */
function parseRange(text: string, next: number): ByteRange | undefined {
  const [, length, start] = /^(\d{1,12})(?:@(\d{1,12}))?$/.exec(text.trim()) ?? [];
  return length === undefined
    ? undefined
    : { start: start === undefined ? next : Number(start), length: Number(length) };
}

function parseInf(value: string): { seconds: number; title: string } {
  const comma = value.indexOf(',');
  const seconds = parseSeconds(comma === -1 ? value : value.slice(0, comma));
  return {
    seconds: seconds ?? DEFAULT_SECONDS,
    title: comma === -1 ? '' : cleanSongText(value.slice(comma + 1)),
  };
}

function parseSeconds(text: string): number | undefined {
  const seconds = /^\s*\d{1,6}(?:\.\d{1,9})?\s*$/.test(text) ? Number(text) : Number.NaN;
  return seconds <= MAX_SEGMENT_SECONDS ? seconds : undefined;
}

function parseTime(text: string): number | undefined {
  const ms = text.length <= 40 ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

const MAX_ATTRIBUTES = 40;

/** `BANDWIDTH=64000,CODECS="mp4a.40.2,ac-3"` by name: commas in quotes separate nothing. */
export function parseAttributes(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (let at = 0; at < text.length && found.size < MAX_ATTRIBUTES;) {
    const equals = text.indexOf('=', at);
    if (equals === -1) break;
    const isQuoted = text[equals + 1] === '"';
    const from = equals + (isQuoted ? 2 : 1);
    const end = endOf(text, from, isQuoted ? '"' : ',');
    found.set(text.slice(at, equals).trim().toUpperCase(), text.slice(from, end).trim());
    at = endOf(text, end, ',') + 1;
  }
  return found;
}

function endOf(text: string, from: number, sign: string): number {
  const end = text.indexOf(sign, from);
  return end === -1 ? text.length : end;
}

const MAX_ADDRESS_LENGTH = 2048;

/** A web address, resolved against the playlist's. */
export function absolute(written: string | undefined, base: string): string | undefined {
  const url = written && written.length <= MAX_ADDRESS_LENGTH ? URL.parse(written, base) : null;
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : undefined;
}

/** The second newest: the newest may not have reached the server yet. */
export function chooseSegment({ segments }: MediaPlaylist): Segment | undefined {
  const there = segments.filter(({ isGap }) => isGap !== true);
  return there.at(-2) ?? there.at(-1) ?? segments.at(-1);
}
