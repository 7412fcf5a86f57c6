import type { MediaPlaylist, Segment } from '../../formats/hls/parse-hls.ts';
import { parseMetaint } from '../../formats/icy/icy-splitter.ts';
import type { PlaylistKind } from '../../formats/playlist/parse-playlist.ts';
import type { Cookies } from '../fetch/cookies.ts';
import { FetchFailed } from '../fetch/fetch-failed.ts';
import { Deadline } from '../fetch/deadline.ts';
import type { StreamReader } from './stream-reader.ts';
import type { Answered, Route } from './route.ts';
import type { TuneInStep } from './tune-in-failed.ts';

/** Facts about an HLS stream besides its audio. */
interface HlsHeard extends Omit<MediaPlaylist, 'kind' | 'mapAddress'> {
  /** The first HLS playlist, with all qualities if there are several. */
  playlistAddress: string;
  /** The media playlist, to be reloaded for newer segments. */
  mediaAddress: string;
  /** The segment that the body belongs to. */
  segment: Segment;
  /** The initialisation section, which players put before the segment. */
  map: Buffer | undefined;
}

/** A stream that is being received. Disposing of it closes the connection. */
export class TunedIn implements Disposable {
  /** Where the audio comes from, after redirects and playlists; for HLS the segment. */
  readonly address: string;
  readonly kind: 'http' | 'icy' | 'hls';
  /** The first playlist on the way, if any. */
  playlist: PlaylistKind | undefined;
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly steps: readonly TuneInStep[];
  /** The incoming audio. */
  readonly reader: StreamReader;
  /** Aborts the listening. */
  readonly signal: AbortSignal | undefined;
  readonly hls: HlsHeard | undefined;
  /** Those that were set on the way. */
  readonly cookies: Cookies;

  constructor({ journal, outer, cookies }: Route, { address, head, reader }: Answered, hls?: HlsHeard) {
    this.address = address;
    this.kind = hls ? 'hls' : head.protocol;
    this.playlist = undefined;
    this.status = head.status;
    this.headers = head.headers;
    this.steps = journal.steps;
    this.reader = reader;
    this.signal = outer;
    this.hls = hls;
    this.cookies = cookies;
  }

  get isSecure(): boolean {
    return this.address.startsWith('https:');
  }

  /** Bytes of audio between two metadata blocks. */
  get metaint(): number | undefined {
    return this.hls ? undefined : parseMetaint(this.headers.get('icy-metaint'));
  }

  [Symbol.dispose](): void {
    this.reader[Symbol.dispose]();
  }
}

export interface Heard {
  /** Without the titles in between. Invalid once the stream is disposed of. */
  audio: Buffer;
  /** Each one that differs from the previous; empty when the station sends none. */
  titles: readonly string[];
  /** All bytes received, including titles. */
  bytes: number;
  /** Why reading ended: enough data, end of stream, timeout, broken connection. */
  ended: 'enough' | 'end' | 'late' | 'broken';
}

/**
 * Listens until there is enough audio or the time is over; after a timeout the stream cannot be read further. With
 * `untilTitle` the first metadata block is enough.
 */
export async function readSome(
  { reader, hls, signal }: TunedIn,
  maxBytes: number,
  deadlineMs: number,
  untilTitle = false,
): Promise<Heard> {
  const map = hls?.map;
  const wanted = Math.max(maxBytes - (map?.length ?? 0), 0);
  const deadline = new Deadline(deadlineMs, signal);
  let ended: Heard['ended'] = 'enough';
  try {
    await reader.untilBody(deadline, deadlineMs, wanted, untilTitle);
    if (!reader.isThere(wanted, untilTitle)) ended = 'end';
  } catch (error) {
    ended = error instanceof FetchFailed && error.isLate ? 'late' : 'broken';
  } finally {
    deadline[Symbol.dispose]();
  }
  const { body, titles, bytes } = reader;
  const audio = (map ? Buffer.concat([map, body]) : body).subarray(0, maxBytes);
  return { audio, titles, bytes: bytes + (map?.length ?? 0), ended };
}
