/** One quality of a stream. */
export interface Variant {
  address: string;
  /** Bits a second at most, picture included; 0 where it is not said. */
  bandwidth: number;
  codecs: readonly string[];
  hasPicture: boolean;
  /** The group of renditions that carries the sound, where it comes apart. */
  audioGroup?: string;
}

/** Sound that comes apart from the picture. */
export interface Rendition {
  address: string;
  group: string;
}

export interface MasterPlaylist {
  kind: 'master';
  variants: readonly Variant[];
  renditions: readonly Rendition[];
}

export interface Segment {
  address: string;
  sequence: number;
  seconds: number;
  title?: string;
  /** What a clock showed at its beginning, in epoch milliseconds. */
  atMs?: number;
}

/** Something said about a stretch of time: an advert, or a song. */
export interface DateRange {
  id: string;
  startMs: number;
  seconds?: number;
  attributes: ReadonlyMap<string, string>;
}

export interface MediaPlaylist {
  kind: 'media';
  targetSeconds: number;
  /** The newest ones; a recording of a day has thousands. */
  segments: readonly Segment[];
  ranges: readonly DateRange[];
  /** What has to be read before the first segment, as fMP4 wants it. */
  mapAddress?: string;
  isEncrypted: boolean;
  /** Nothing more will come: it is no radio, or it has ended. */
  hasEnded: boolean;
}

export type HlsPlaylist = MasterPlaylist | MediaPlaylist;
