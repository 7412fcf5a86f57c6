/** Something that can be played, as a list knows it. */
export interface PlayerItem {
  kind: 'station' | 'topic';
  guideId: string;
  name: string;
  image?: string | undefined;
  subtext?: string | undefined;
  /** Of a topic, its show: for its page, and the speed it is played at. */
  showId?: string | undefined;
  /** An address that the listener saved; it is played as it is, without a request to the directory. */
  address?: string | undefined;
}

/** One address to try. */
export interface PlayerStream {
  address: string;
  guideId: string;
  mediaType: string;
  bitrate: number;
  /** It comes through the site's relay, since the browser cannot play it from where it is. */
  isRelayed?: boolean;
}

/** Why nothing plays; the messages are `player.why…`. */
export type Why =
  /** The directory has no stream for it. */
  | 'nothing'
  /** No stream that a browser can play. */
  | 'format'
  /** Only plain HTTP streams, which an HTTPS page may not play. */
  | 'insecure'
  /** No stream answered. */
  | 'network'
  /** The browser requires a click first. */
  | 'touch'
  /** The directory did not answer. */
  | 'directory';

export interface PlayerState {
  readonly item: PlayerItem | undefined;
  readonly status: 'idle' | 'loading' | 'playing' | 'paused' | 'failed';
  /** Until the listener pauses or stops it; headphones that are pulled out and the sleep timer do not change it. */
  readonly isWanted: boolean;
  readonly stream: PlayerStream | undefined;
  /** In seconds; for a station, how long it has been playing. */
  readonly position: number;
  /** In seconds; undefined for live streams, and until it is known. */
  readonly duration: number | undefined;
  readonly reason: Why | undefined;
  /** Whether an earlier stream was given up. */
  readonly isSecondTry: boolean;
  /** Whether it was heard well since the listener pressed play: then a silence is a gap, and it comes back by itself. */
  readonly wasHeard: boolean;
  /** Whether nothing is heard because the listener's own network is gone. */
  readonly isOffline: boolean;
  /** 0 to 1. */
  readonly volume: number;
  readonly isMuted: boolean;
  /** When the sleep timer stops it, in milliseconds of `performance.now()`. */
  readonly sleepsAt: number | undefined;
}

export const SILENCE: PlayerState = {
  item: undefined,
  status: 'idle',
  isWanted: false,
  stream: undefined,
  position: 0,
  duration: undefined,
  reason: undefined,
  isSecondTry: false,
  wasHeard: false,
  isOffline: false,
  volume: 1,
  isMuted: false,
  sleepsAt: undefined,
};
