import { LRUCache } from 'lru-cache';
import { isSameSong, MAX_SONG_MS, type Song, type SongSource } from '../../core/now-playing/song.ts';
import { oggSong } from '../../formats/audio/ogg.ts';
import { decodeText } from '../../formats/decode-text.ts';
import { segmentSong, segmentTitle } from '../../formats/hls/segment-song.ts';
import { type SongText, splitSong } from '../../formats/song-text.ts';
import { azuracastSong, icecastSong, shoutcastSong } from '../../formats/station-status/station-status.ts';
import { PRODUCT } from '../../lib/version.ts';
import { FetchFailed, UnsafeAddress } from '../../net/fetch/fetch-failed.ts';
import type { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { tuneIn } from '../../net/tuner/tune-in.ts';
import { readSome, type TunedIn } from '../../net/tuner/tuned-in.ts';
import { type KnownStream, type StatusSource, statusSource } from './known-streams.ts';

/** Finds out what a stream plays, in the cheapest way that is known to work. */
export class Hearing {
  readonly #fetcher: SafeFetcher;
  readonly #documents: StatusDocuments;

  constructor(fetcher: SafeFetcher, documents = new StatusDocuments(fetcher)) {
    this.#fetcher = fetcher;
    this.#documents = documents;
  }

  /** Writes what it learns about the stream into `known`. Throws as tuning in and fetching do. */
  async hear(
    stream: { address: string },
    known: KnownStream,
    signal: AbortSignal,
  ): Promise<PollOutcome | 'late'> {
    const { source } = known;
    if (source.kind === 'listen') return this.#listen(stream, known, signal);
    const song = await this.#lookUp(source, stream, known, signal);
    if (song) return song;
    const heard = await this.#listen(stream, known, signal);
    // The stream names no song either: the document without one was right.
    if (heard !== 'nothing') return heard;
    known.source = source;
    known.hasNoStatus = false;
    return heard;
  }

  /** One small document instead of audio; where it is useless, the stream is listened to from then on. */
  async #lookUp(
    source: StatusSource,
    { address }: { address: string },
    known: KnownStream,
    signal: AbortSignal,
  ): Promise<HeardSong | undefined> {
    known.source = { kind: 'listen', address };
    try {
      const text = await this.#documents.get(source, signal);
      const song = text === undefined ? undefined : songInDocument(source, text);
      if (song) known.source = source;
      else known.hasNoStatus = true;
      return song;
    } catch (error) {
      // If the fetch merely failed, the document is tried again after listening to the stream once.
      if (error instanceof FetchFailed) return undefined;
      if (!(error instanceof UnsafeAddress)) {
        // Its host is at its limit: listening to all streams of the document instead would load it far more.
        known.source = source;
        throw error;
      }
      known.hasNoStatus = true;
      return undefined;
    }
  }

  async #listen(
    stream: { address: string },
    known: KnownStream,
    signal: AbortSignal,
  ): Promise<PollOutcome | 'late'> {
    const { address } = known.source;
    // The address found last time may have expired; then the whole way is followed again.
    known.source = { kind: 'listen', address: stream.address };
    const listened = await listen(this.#fetcher, address, signal);
    const isNamed = typeof listened.heard === 'object';
    const status =
      isNamed && !known.hasNoStatus ? statusSource(listened.address, listened.headers) : undefined;
    known.source = status ?? { kind: 'listen', address: listened.address };
    return listened.heard;
  }
}

function songInDocument({ source, mount }: StatusSource, text: string): HeardSong | undefined {
  const song =
    source === 'azuracast'
      ? azuracastSong(text)
      : source === 'icecast'
        ? icecastSong(text, mount)
        : shoutcastSong(text);
  if (!song) return undefined;
  const { startedAtMs, endsAtMs, ...named } = song;
  return { ...named, source, startedAt: startedAtMs, endsAt: endsAtMs };
}

interface Listened {
  /** `late`: it went silent before a title came. */
  heard: PollOutcome | 'late';
  /** The address to listen to next time, without redirects and playlists. */
  address: string;
  headers: ReadonlyMap<string, string>;
}

const TUNE_IN_MS = 8000;
const READ_MS = 6000;
/** Ogg comments come first; an embedded picture may be larger than this, and then no title is read. */
const OGG_BYTES = 64 * 1024;
const SEGMENT_BYTES = 256 * 1024;
const MAX_GAP = 128 * 1024;
/** A server that has just begun a song may leave the first metadata block empty. */
const GAPS = 2;
const OGG = /^(?:application|audio|video)\/(?:ogg|opus|x-ogg|vorbis)\b/i;

/** Connects as a player does, and disconnects once the first title has come. */
async function listen(fetcher: SafeFetcher, address: string, signal: AbortSignal): Promise<Listened> {
  using tuned = await tuneIn(fetcher, address, { deadlineMs: TUNE_IN_MS, signal });
  return {
    heard: await songOfStream(tuned),
    address: tuned.hls?.mediaAddress ?? tuned.address,
    headers: tuned.headers,
  };
}

function songOfStream(tuned: TunedIn): Promise<PollOutcome | 'late'> {
  if (tuned.hls) return inSegment(tuned);
  if (tuned.metaint !== undefined) return betweenSound(tuned, tuned.metaint);
  return OGG.test(tuned.headers.get('content-type') ?? '') ? inComments(tuned) : Promise.resolve('mute');
}

async function betweenSound(tuned: TunedIn, metaint: number): Promise<PollOutcome | 'late'> {
  if (metaint > MAX_GAP) return 'mute';
  const { titles, ended } = await readSome(tuned, metaint * GAPS + 1, READ_MS, true);
  const title = titles.at(-1);
  if (title === undefined) return ended === 'enough' ? 'nothing' : 'late';
  return asHeard(splitSong(title), 'icy');
}

async function inComments(tuned: TunedIn): Promise<PollOutcome | 'late'> {
  const { audio, bytes } = await readSome(tuned, OGG_BYTES, READ_MS);
  return bytes === 0 ? 'late' : asHeard(oggSong(audio), 'ogg');
}

/** The newer of the playlist's title and the one inside a segment; most stations send one of the two, or neither. */
async function inSegment(tuned: TunedIn): Promise<PollOutcome> {
  const { audio } = await readSome(tuned, SEGMENT_BYTES, READ_MS);
  return asHeard(segmentSong(audio) ?? segmentTitle(tuned.hls?.segment.title), 'hls');
}

const asHeard = (song: SongText | undefined, source: SongSource): PollOutcome =>
  song === undefined ? 'nothing' : { ...song, source };

/** However many stations a server has, its document is fetched at most once in this time. */
const SHARED_MS = 5000;
/** A server of hundreds of stations writes half a megabyte. */
const DOCUMENT_LIMITS = {
  maxWireBytes: 2 ** 19,
  maxBytes: 2 ** 19,
  mostRedirects: 2,
  deadlineMs: 8000,
  firstByteMs: 5000,
};
/** The oldest servers send audio to anything but a browser, whatever page is requested. */
const AS_BROWSER = { 'user-agent': `Mozilla/5.0 (compatible; ${PRODUCT}; radio directory)` };
const MAX_LETTERS = 2 ** 24;

/**
 * Status documents in which servers name the songs they play, each fetched once for all who need it at the same time.
 */
export class StatusDocuments {
  readonly #fetcher: Pick<SafeFetcher, 'fetch'>;
  readonly #texts: LRUCache<string, { text: string | undefined }>;
  readonly #flights = new Map<string, Promise<string | undefined>>();

  constructor(fetcher: Pick<SafeFetcher, 'fetch'>, sharedMs = SHARED_MS) {
    this.#fetcher = fetcher;
    this.#texts = new LRUCache({
      ttl: sharedMs,
      maxSize: MAX_LETTERS,
      sizeCalculation: ({ text = '' }) => 100 + text.length,
    });
  }

  /** Undefined where the server has no such document; throws as a fetch does. */
  async get(source: StatusSource, signal: AbortSignal): Promise<string | undefined> {
    const known = this.#texts.get(source.address);
    return known ? known.text : await (this.#flights.get(source.address) ?? this.#begin(source, signal));
  }

  #begin(source: StatusSource, signal: AbortSignal): Promise<string | undefined> {
    const flight = this.#read(source, signal).finally(() => this.#flights.delete(source.address));
    this.#flights.set(source.address, flight);
    return flight;
  }

  async #read({ address, source }: StatusSource, signal: AbortSignal): Promise<string | undefined> {
    const headers = source === 'shoutcast' ? AS_BROWSER : {};
    const { status, body } = await this.#fetcher.fetch(address, { ...DOCUMENT_LIMITS, headers, signal });
    const text = status === 200 ? decodeText(body) : undefined;
    this.#texts.set(address, { text });
    return text;
  }
}

/** A song as it was heard, with whatever else is known about it; times in milliseconds since 1970. */
export interface HeardSong extends SongText {
  source: SongSource;
  artAddress?: string | undefined;
  startedAt?: number | undefined;
  endsAt?: number | undefined;
}

/** `nothing`: no song now. `mute`: the stream has no place to name one. */
export type PollOutcome = HeardSong | 'nothing' | 'mute';

/**
 * A song that is still playing began when it was first heard, unless its source says when, by a clock that is not
 * ahead.
 */
export function songFrom(heard: HeardSong, before: Song | undefined, now: number): Song {
  const { startedAt, endsAt, ...song } = { ...heard, heardAt: now };
  const goesOn = isSameSong({ ...song, startedAt: now }, before);
  const firstHeard = (goesOn ? before?.startedAt : undefined) ?? now;
  const aheadMs = startedAt !== undefined && startedAt > now ? startedAt - firstHeard : 0;
  const end = (endsAt ?? Infinity) - aheadMs;
  const isSane = end <= now + MAX_SONG_MS;
  return { ...song, startedAt: (startedAt ?? firstHeard) - aheadMs, ...(isSane && { endsAt: end }) };
}
