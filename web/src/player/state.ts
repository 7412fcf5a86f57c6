/** What can be heard, as a list knows it. */
export interface PlayerItem {
  kind: 'station' | 'topic';
  guideId: string;
  name: string;
  image?: string | undefined;
  subtext?: string | undefined;
  /** An address that the listener saved; it is played as it is, without asking the directory. */
  address?: string | undefined;
}

/** One address to try. */
export interface PlayerStream {
  address: string;
  guideId: string;
  mediaType: string;
  bitrate: number;
}

/** Why nothing is heard; the words for it are `player.why…`. */
export type Why =
  /** The directory knows no stream of it. */
  | 'nothing'
  /** No stream that a browser can play. */
  | 'format'
  /** Only streams by plain HTTP, which a page by HTTPS may not play. */
  | 'insecure'
  /** No stream answered. */
  | 'network'
  /** The browser wants a click first. */
  | 'touch'
  /** The directory did not answer. */
  | 'directory';

export interface PlayerState {
  readonly item: PlayerItem | undefined;
  readonly status: 'idle' | 'loading' | 'playing' | 'paused' | 'failed';
  readonly stream: PlayerStream | undefined;
  /** In seconds; of a station, how long it has been heard. */
  readonly position: number;
  /** In seconds; undefined for what goes on, and until it is known. */
  readonly duration: number | undefined;
  readonly reason: Why | undefined;
  /** Whether an earlier stream of this was given up. */
  readonly isSecondTry: boolean;
  /** 0 to 1. */
  readonly volume: number;
  readonly isMuted: boolean;
  /** When the sleep timer stops it, in milliseconds of `performance.now()`. */
  readonly sleepsAt: number | undefined;
}

export const SILENCE: PlayerState = {
  item: undefined,
  status: 'idle',
  stream: undefined,
  position: 0,
  duration: undefined,
  reason: undefined,
  isSecondTry: false,
  volume: 1,
  isMuted: false,
  sleepsAt: undefined,
};
