import { createDecipheriv } from 'node:crypto';
import { isContainer } from '../../../formats/audio/containers.ts';
import { bestVariants } from '../../../formats/hls/choose-variant.ts';
import { segmentAudio } from '../../../formats/hls/segment-audio.ts';
import {
  type ByteRange,
  type MediaPlaylist,
  parseHls,
  type Segment,
  type SegmentKey,
} from '../../../formats/hls/parse-hls.ts';
import { segmentSong, segmentTitle } from '../../../formats/hls/segment-song.ts';
import { songLine } from '../../../core/now-playing/song.ts';
import { decodeText } from '../../../formats/decode-text.ts';
import { pause } from '../../../lib/clock.ts';
import type { Cookies } from '../../../net/fetch/cookies.ts';
import type { Fetched, SafeFetcher } from '../../../net/fetch/fetch-safely.ts';
import { TuneInFailed } from '../../../net/tuner/tune-in-failed.ts';
import { awayMs, firstSegments, freshSegments, lengthOf, reloadMs } from './hls-segments.ts';

/**
 * A station that sends HLS, as one continuous stream: the playlist is asked again and again, each new segment is fetched,
 * its sound taken out unchanged, and sent as long as it lasts. Two loops share a short queue:
 *
 *   fetch: playlist -> segments not yet had, by sequence number -> sound -> queue (at most three segments)
 *   play:  queue -> slices of a quarter of a second, in time
 *
 * A segment that is missing is asked for once more and then left out, and so is a playlist that cannot be had; one whose
 * numbers begin again starts anew at its end; one that brings nothing new, or nothing that can be had and played, for three
 * segments' time is a station that is away. What is in the queue then is played first. Whoever follows it anew says what was
 * heard, and hears only what comes after it: the list of an encoder that died stays as it is, with segments that can be had.
 */

const MAX_QUEUE = 3;
/** Sent at once at the start, so that a player has something to go on with. */
const BURST_MS = 4000;
const SLICE_MS = 250;
const MAX_LATE_MS = 10_000;
/** A playlist is asked for so often before the station is called anew, and of so many qualities one after the other. */
const MAX_TRIES = 3;
const LIMITS = { playlistBytes: 2 ** 20, segmentBytes: 8 * 2 ** 20, mapBytes: 64 * 1024, keyBytes: 64 };
const MAX_FETCH_MS = 20_000;
const KEY_BYTES = 16;

/** How far a station was heard. */
export interface HeardOf {
  last: Segment;
  /** What the best of several qualities had, in bits per second: each may count its segments in its own way. */
  bandwidth: number | undefined;
}

export interface HlsOptions {
  fetcher: SafeFetcher;
  /** Of the playlist, of either kind. */
  address: string;
  headers: Readonly<Record<string, string>>;
  /** Those that were set on the way to the playlist. */
  cookies?: Cookies | undefined;
  /** By the connection before. */
  heard?: HeardOf | undefined;
  signal: AbortSignal;
}

export interface HlsSound {
  /** The first sound is there: its format follows from it. */
  begins(first: Buffer): void;
  body(piece: Buffer): void;
  title(title: string): void;
  /** A segment could not be had. */
  missed(): void;
}

/** The list of segments that is followed. */
interface Found {
  address: string;
  media: MediaPlaylist;
  bandwidth: number | undefined;
}

type SegmentMap = NonNullable<Segment['map']>;

interface Queued {
  audio: Buffer;
  ms: number;
  title: string | undefined;
}

export class HlsSource {
  readonly #options: HlsOptions;
  readonly #sound: HlsSound;
  readonly #ending: AbortSignal;
  readonly #end = new AbortController();
  readonly #queue: Queued[] = [];
  #wake = Promise.withResolvers<void>();
  #room = Promise.withResolvers<void>();
  #map: { address: string; bytes: Buffer } | undefined;
  #key: { address: string; bytes: Buffer } | undefined;
  #heard: HeardOf | undefined;
  /** Of the segments that were heard. */
  #longestMs: number | undefined;
  /** Nothing more comes into the queue. */
  #isFetched = false;

  constructor(options: HlsOptions, sound: HlsSound) {
    this.#options = options;
    this.#sound = sound;
    this.#heard = options.heard;
    this.#ending = AbortSignal.any([options.signal, this.#end.signal]);
    this.#ending.addEventListener('abort', () => {
      this.#wake.resolve();
      this.#room.resolve();
    });
  }

  /** For the connection after; what could not be had is not among it. */
  get heard(): HeardOf | undefined {
    return this.#heard;
  }

  /** Until the signal aborts. Throws when the station is away. */
  async run(): Promise<void> {
    const fetching = this.#fetchAll().finally(() => {
      this.#isFetched = true;
      this.#wake.resolve();
    });
    const playing = this.#playAll().finally(() => this.#end.abort());
    const failed = (await Promise.allSettled([fetching, playing])).find(
      ({ status }) => status === 'rejected',
    );
    // What was under way when the listener left says nothing about the station.
    if (failed?.status === 'rejected' && !this.#options.signal.aborted) throw failed.reason;
  }

  async #fetchAll(): Promise<void> {
    let { address, media, bandwidth } = await this.#findMedia();
    let last = this.#heard?.bandwidth === bandwidth ? this.#heard?.last : undefined;
    let fresh = firstSegments(media, last);
    let newestMs = performance.now();
    while (!this.#ending.aborted) {
      for (const segment of fresh) {
        const isHeard = await this.#enqueue(segment);
        last = segment;
        if (isHeard) {
          newestMs = performance.now();
          this.#heard = { last, bandwidth };
        }
        if (this.#ending.aborted) return;
      }
      if (media.hasEnded || performance.now() - newestMs > awayMs(media, this.#longestMs))
        throw away('its playlist brings nothing new that can be played');
      // Half as long where nothing was new, as players do.
      await this.#pause(media, fresh.length > 0 ? 1 : 0.5);
      const before = media;
      media = await this.#readAgain(address, before);
      fresh = freshSegments(media, last, before.segments);
    }
  }

  #pause(media: MediaPlaylist, share: number): Promise<void> {
    return pause(share * reloadMs(media, this.#longestMs), this.#ending);
  }

  /** What cannot be had once is there a moment later; there is sound in the queue until then. */
  async #readAgain(address: string, before: MediaPlaylist): Promise<MediaPlaylist> {
    for (let tries = 1; tries < MAX_TRIES; tries += 1) {
      const media = await this.#readMedia(address).catch(() => undefined);
      if (media) return media;
      await this.#pause(before, 0.5);
    }
    return this.#readMedia(address);
  }

  /** The list of segments, of the best quality whose list can be had where there are several. */
  async #findMedia(): Promise<Found> {
    const { address } = this.#options;
    const playlist = await this.#playlist(address);
    if (!playlist) throw away('its HLS playlist leads nowhere');
    if (playlist.kind === 'media') return { address, media: playlist, bandwidth: undefined };
    let failure: unknown = away('its HLS playlist has no qualities');
    for (const [tries, quality] of bestVariants(playlist).slice(0, MAX_TRIES).entries())
      try {
        return { ...quality, media: await this.#readMedia(quality.address) };
      } catch (error) {
        if (tries === 0) failure = error;
      }
    throw failure;
  }

  async #readMedia(address: string): Promise<MediaPlaylist> {
    const playlist = await this.#playlist(address);
    if (playlist?.kind !== 'media') throw away('its HLS playlist has no segments');
    return playlist;
  }

  /** What it says is relative to where it really is. */
  async #playlist(address: string): Promise<ReturnType<typeof parseHls>> {
    const { body, address: found } = await this.#ask(address, LIMITS.playlistBytes);
    return parseHls(decodeText(body), found);
  }

  /** Whether there is sound in it; waits until there is room for more. */
  async #enqueue(segment: Segment): Promise<boolean> {
    const queued = await this.#hear(segment).catch(() => undefined);
    if (!queued) {
      this.#sound.missed();
      return false;
    }
    this.#longestMs = Math.max(this.#longestMs ?? 0, queued.ms);
    this.#queue.push(queued);
    this.#wake.resolve();
    while (this.#queue.length >= MAX_QUEUE && !this.#ending.aborted) {
      this.#room = Promise.withResolvers();
      await this.#room.promise;
    }
    return true;
  }

  async #hear(segment: Segment): Promise<Queued | undefined> {
    if (segment.isGap || segment.key === 'unknown') return undefined;
    const bytes = await this.#segment(segment);
    const audio = segmentAudio(bytes, segment.map && (await this.#mapOf(segment.map)));
    if (!audio || audio.length === 0) return undefined;
    const song = segmentSong(bytes) ?? segmentTitle(segment.title);
    return {
      audio,
      ms: lengthOf(audio) ?? segment.seconds * 1000,
      title: song && songLine(song),
    };
  }

  /** Asked for once more: a connection that is closed between two questions is no reason to be silent. */
  async #segment({ address, range, key, sequence }: Segment): Promise<Buffer> {
    const get = (): Promise<Buffer> => this.#bytesOf(address, LIMITS.segmentBytes, range);
    const bytes = await get().catch(() => get());
    if (key === undefined || key === 'unknown') return bytes;
    return decrypt(bytes, await this.#keyOf(key), key.iv ?? ivOf(sequence));
  }

  async #mapOf(map: SegmentMap): Promise<Buffer> {
    const known = `${map.address} ${map.range?.start}`;
    if (this.#map?.address !== known) this.#map = { address: known, bytes: await this.#readMap(map) };
    return this.#map.bytes;
  }

  /** Some lists name a key before a map that is not encrypted. One that is has a vector, since it has no number. */
  async #readMap({ address, range, key }: SegmentMap): Promise<Buffer> {
    const bytes = await this.#bytesOf(address, LIMITS.mapBytes, range);
    if (!key?.iv || isContainer(bytes)) return bytes;
    return decrypt(bytes, await this.#keyOf(key), key.iv);
  }

  async #keyOf({ address }: SegmentKey): Promise<Buffer> {
    if (this.#key?.address !== address)
      this.#key = { address, bytes: await this.#bytesOf(address, LIMITS.keyBytes) };
    return this.#key.bytes;
  }

  async #ask(
    address: string,
    maxBytes: number,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Fetched> {
    const { fetcher, headers, cookies } = this.#options;
    const limits = { maxBytes, maxWireBytes: maxBytes, deadlineMs: MAX_FETCH_MS, signal: this.#ending };
    // Many stations send from here to a server near by, which is to hear the same.
    const headersToAll = { ...headers, ...more };
    const answer = await fetcher.fetch(address, { ...limits, cookies, headersToAll });
    if (answer.status !== 200 && answer.status !== 206) throw away(`it answers ${answer.status}`);
    return answer;
  }

  async #bytesOf(address: string, maxBytes: number, range?: ByteRange): Promise<Buffer> {
    const wanted = range && { range: `bytes=${range.start}-${range.start + range.length - 1}` };
    const { status, body } = await this.#ask(address, maxBytes, wanted);
    return range && status === 200 ? body.subarray(range.start, range.start + range.length) : body;
  }

  async #playAll(): Promise<void> {
    let dueMs: number | undefined;
    while (!this.#ending.aborted) {
      const segment = this.#queue.shift();
      this.#room.resolve();
      if (!segment && this.#isFetched) return;
      if (!segment) {
        this.#wake = Promise.withResolvers();
        await this.#wake.promise;
        continue;
      }
      const now = performance.now();
      if (dueMs === undefined) this.#sound.begins(segment.audio);
      if (dueMs === undefined || now - dueMs > MAX_LATE_MS) dueMs = now - BURST_MS;
      if (segment.title !== undefined) this.#sound.title(segment.title);
      dueMs = await this.#play(segment, dueMs);
    }
  }

  /** Gives when the next one is due. */
  async #play({ audio, ms }: Queued, startMs: number): Promise<number> {
    const slices = Math.max(1, Math.round(ms / SLICE_MS));
    for (let slice = 0; slice < slices && !this.#ending.aborted; slice += 1) {
      const waitMs = startMs + (slice * ms) / slices - performance.now();
      if (waitMs > 0) await pause(waitMs, this.#ending);
      const at = (n: number): number => Math.round((audio.length * n) / slices);
      this.#sound.body(audio.subarray(at(slice), at(slice + 1)));
    }
    return startMs + ms;
  }
}

function decrypt(bytes: Buffer, key: Buffer, iv: Buffer): Buffer {
  if (key.length !== KEY_BYTES) throw away('its key has not 16 bytes');
  const cipher = createDecipheriv('aes-128-cbc', key, iv);
  return Buffer.concat([cipher.update(bytes), cipher.final()]);
}

function ivOf(sequence: number): Buffer {
  const iv = Buffer.alloc(KEY_BYTES);
  iv.writeBigUInt64BE(BigInt(sequence), 8);
  return iv;
}

const away = (why: string): TuneInFailed => new TuneInFailed('hls', why, { code: 'no_segments', steps: [] });
