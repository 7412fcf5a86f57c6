import type { MediaPlaylist, Segment } from '../formats/hls/hls-playlist.ts';
import type { PlaylistKind } from '../formats/playlist/parse-playlist.ts';
import type { Inflow } from './inflow.ts';
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
export interface TunedIn extends Disposable {
  /** Where the sound comes from, after redirects and playlists; of HLS the segment. */
  address: string;
  isSecure: boolean;
  kind: 'http' | 'icy' | 'hls';
  /** The first playlist on the way there, where there was one. */
  playlist?: PlaylistKind;
  status: number;
  headers: ReadonlyMap<string, string>;
  /** So many bytes of sound between two blocks of titles. */
  metaint?: number;
  steps: readonly Step[];
  /** The sound, as it comes. */
  inflow: Inflow;
  /** Ends the listening. */
  signal: AbortSignal | undefined;
  hls?: HlsHeard;
}

export interface TuneInOptions {
  /** For everything until the first sound. */
  deadlineMs?: number;
  /** Ends the listening too. */
  signal?: AbortSignal | undefined;
  userAgent?: string | undefined;
  /** Whether to ask for titles between the sound; so unless it is said otherwise. */
  wantsTitles?: boolean;
}
