import { parseMetaint } from '../formats/icy/icy-splitter.ts';
import type { MediaPlaylist, Segment } from '../formats/hls/hls-playlist.ts';
import type { PlaylistKind } from '../formats/playlist/parse-playlist.ts';
import type { Inflow } from './inflow.ts';
import type { Answered, Route } from './route.ts';
import type { Step } from './step.ts';

/** What is known of a stream in segments beside its sound. */
export interface HlsHeard extends Omit<MediaPlaylist, 'kind' | 'mapAddress'> {
  /** The playlist of the segments, to be read again for newer ones. */
  mediaAddress: string;
  /** The one that the body is of. */
  segment: Segment;
  /** What a player puts in front of it. */
  map: Buffer | undefined;
}

/** A stream that is being heard. Disposing of it closes the connection. */
export class TunedIn implements Disposable {
  /** Where the sound comes from, after redirects and playlists; of HLS the segment. */
  readonly address: string;
  readonly kind: 'http' | 'icy' | 'hls';
  /** The first playlist on the way there, where there was one. */
  playlist: PlaylistKind | undefined;
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly steps: readonly Step[];
  /** The sound, as it comes. */
  readonly inflow: Inflow;
  /** Ends the listening. */
  readonly signal: AbortSignal | undefined;
  readonly hls: HlsHeard | undefined;

  constructor({ journal, outer }: Route, { address, head, inflow }: Answered, hls?: HlsHeard) {
    this.address = address;
    this.kind = hls ? 'hls' : head.protocol;
    this.playlist = undefined;
    this.status = head.status;
    this.headers = head.headers;
    this.steps = journal.steps;
    this.inflow = inflow;
    this.signal = outer;
    this.hls = hls;
  }

  get isSecure(): boolean {
    return this.address.startsWith('https:');
  }

  /** So many bytes of sound between two blocks of titles. */
  get metaint(): number | undefined {
    return this.hls ? undefined : parseMetaint(this.headers.get('icy-metaint'));
  }

  [Symbol.dispose](): void {
    this.inflow[Symbol.dispose]();
  }
}
